import type { Size } from './build.ts';
import { type ColdCount, countColdStart, countWarmRequests } from './callgrind.ts';
import type { Facts } from './check.ts';
import { type Bench, run } from './drive.ts';
import type { Start } from './environment.ts';
import type { Kind } from './runtime/events.ts';
import type { Step } from './runtime/main.ts';
import type { Subject } from './subjects.ts';

/** The cold starts of a subject. Times are in milliseconds, one per round. */
export interface ColdStarts {
  /** Empty without valgrind. */
  readonly counts: ColdCount[];
  readonly wall: number[];
  /** From the start of the process to its first response. */
  readonly cpu: number[];
  /** The part of `cpu` until the bundle is loaded. */
  readonly initCpu: number[];
}

/** A subject with its bundle and its figures. Times are in milliseconds, one per round. */
export interface Measured extends Facts {
  readonly subject: Subject;
  readonly file: string;
  readonly size: Size;
  readonly cold: Readonly<Record<Start, ColdStarts>>;
  /** Instructions of a warm request of each of {@link WARM_KINDS}; empty for peers, and without valgrind. */
  readonly warmCounts: number[];
  readonly warmCpu: number[];
  readonly badJsonCpu: number[];
  readonly noTokenCpu: number[];
  /** Megabytes after 5,000 requests. */
  readonly peak: number[];
}

/** How cold starts are measured: as Lambda starts a function, and through the start script. */
export const STARTS: readonly Start[] = ['plain', 'script'];

/** The kinds of warm requests. */
export const WARM_KINDS: readonly Kind[] = ['accepted', 'bad-json', 'no-token'];

/** Processes that count at the same time; each takes half a gigabyte. */
const AT_ONCE = 4;

/** 5,000 accepted requests, then refused ones. The first 1,000 of each kind are a warm-up and do not count. */
const WARM_STEPS: readonly Step[] = WARM_KINDS.flatMap((kind) => [
  { kind, count: 1_000 },
  { kind, count: kind === 'accepted' ? 4_000 : 2_000 },
]);

/**
 * Counts instructions, several processes at once: neither they nor other work on the machine change the counts.
 * @param repeats how many cold starts of each subject to count in each way; V8's threads make them differ a little
 */
export async function countAll(bench: Bench, all: readonly Measured[], repeats: number): Promise<void> {
  const waiting = all.flatMap(({ file, cold, warmCounts, subject: { name, entry } }) => [
    ...STARTS.flatMap((start) =>
      Array.from({ length: repeats }, () => async () => {
        cold[start].counts.push(await countColdStart(bench, file, start));
        console.error(`${name}: a cold start was counted`);
      }),
    ),
    ...(entry === 'ours'
      ? [async () => void warmCounts.push(...(await countWarmRequests(bench, file, WARM_KINDS)))]
      : []),
  ]);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** One round of cold starts: each subject once in each way, starting with a different one in each round. */
export async function coldRound(bench: Bench, all: readonly Measured[], round: number): Promise<void> {
  for (const { file, cold } of rotated(all, round)) {
    for (const start of rotated(STARTS, round)) {
      const { cpu, initCpu, wall } = await run(bench, file, { start });
      cold[start].cpu.push(cpu / 1000);
      cold[start].initCpu.push(initCpu / 1000);
      cold[start].wall.push(wall);
    }
  }
}

/** One round of warm processes. */
export async function warmRound(bench: Bench, all: readonly Measured[], round: number): Promise<void> {
  for (const { file, warmCpu, peak, badJsonCpu, noTokenCpu } of rotated(all, round)) {
    const { steps } = await run(bench, file, { steps: WARM_STEPS });
    const milliseconds = (step: number) => (steps[step]?.cpu ?? Number.NaN) / 1000;
    warmCpu.push(milliseconds(1));
    badJsonCpu.push(milliseconds(3));
    noTokenCpu.push(milliseconds(5));
    peak.push((steps[1]?.peakKilobytes ?? Number.NaN) / 1024);
  }
}

function rotated<T>(all: readonly T[], round: number): T[] {
  const from = round % all.length;
  return [...all.slice(from), ...all.slice(0, from)];
}
