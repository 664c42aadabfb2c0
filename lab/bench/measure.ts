import type { Bundle, Subject } from './build.ts';
import { type ColdStart, countColdStart } from './callgrind.ts';
import { type Bench, run, type Start } from './drive.ts';
import type { Kind } from './runtime/events.ts';
import type { Step } from './runtime/main.ts';

/** A subject with its bundle and its figures; times are one per round. */
export interface Measured extends Bundle {
  readonly subject: Subject;
  /** Empty without valgrind. */
  readonly counts: Readonly<Record<Start, ColdStart[]>>;
  /** Milliseconds of CPU from the start of the process to the first response. */
  readonly coldCpu: number[];
  /** In milliseconds. */
  readonly warmCpu: number[];
  /** Megabytes after 5,000 requests. */
  readonly peak: number[];
}

/** The kinds of requests that each subject must respond to: all but the first with 400. */
const CHECKED: readonly Kind[] = ['accepted', 'taken', 'bad-json', 'bad-plant', 'no-token', 'unknown-token'];

/** How many cold starts of each subject are counted in each way: V8's threads make them differ a little. */
const COUNTS = 3;
/** Processes that count at the same time; each takes half a gigabyte. */
const AT_ONCE = 4;

/** The first 1,000 requests are a warm-up. */
const WARM_STEPS: readonly Step[] = [1_000, 4_000].map((count) => ({ kind: 'accepted', count }));

/** How Lambda starts a subject. */
export const startOf = ({ isPlain }: Subject): Start => (isPlain ? 'plain' : 'script');

/** Checks that a subject implements the operation; the empty handler need not. @throws Error with the first difference */
export async function checkSubject(bench: Bench, { name, entry }: Subject, file: string): Promise<void> {
  const { steps } = await run(bench, file, { steps: CHECKED.map((kind) => ({ kind, count: 1 })) });
  for (const { kind, status, body } of entry === 'empty' ? [] : steps)
    if (status !== (kind === 'accepted' ? 200 : 400))
      throw new Error(`${name} returns ${kind} with ${status} ${body}`);
}

/** Counts instructions, several processes at once: neither they nor other work on the machine change the counts. */
export async function countAll(bench: Bench, all: readonly Measured[]): Promise<void> {
  const starts: readonly Start[] = ['plain', 'script'];
  const once = all.flatMap((measured) => starts.map((start) => ({ ...measured, start })));
  const coldStarts = Array.from({ length: COUNTS }, () => once).flat();
  const waiting = coldStarts.values();
  const work = async () => {
    for (const { subject, file, counts, start } of waiting) {
      counts[start].push(await countColdStart(bench, file, start));
      console.error(`${subject.name}: a cold start was counted`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** One round of cold starts: each subject once, starting with a different one in each round. */
export async function coldRound(bench: Bench, all: readonly Measured[], round: number): Promise<void> {
  for (const { file, coldCpu, subject } of rotated(all, round))
    coldCpu.push((await run(bench, file, { start: startOf(subject) })).cpu);
}

/** One round of warm processes. */
export async function warmRound(bench: Bench, all: readonly Measured[], round: number): Promise<void> {
  for (const { file, warmCpu, peak, subject } of rotated(all, round)) {
    const { steps } = await run(bench, file, { steps: WARM_STEPS, start: startOf(subject) });
    warmCpu.push(steps[1]?.cpu ?? Number.NaN);
    peak.push((steps[1]?.peakKilobytes ?? Number.NaN) / 1024);
  }
}

function rotated<T>(all: readonly T[], round: number): T[] {
  const from = round % all.length;
  return [...all.slice(from), ...all.slice(0, from)];
}
