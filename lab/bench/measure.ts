import type { Size } from './build.ts';
import type { ColdCount } from './callgrind.ts';
import type { Facts } from './check.ts';
import { type Bench, run } from './drive.ts';
import type { Start } from './environment.ts';
import type { Kind } from './runtime/events.ts';
import type { Step } from './runtime/main.ts';
import type { Subject } from './subjects.ts';

/** The cold starts of a subject. Times are in milliseconds, one per round. */
export interface ColdStarts {
  /** Undefined without valgrind. */
  readonly count: ColdCount | undefined;
  readonly wall: number[];
  /** From the start of the process to its first answer. */
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
  readonly warmCounts: readonly number[];
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

/** 5,000 accepted requests, then refused ones. The first 1,000 of each kind are a warm-up and do not count. */
const WARM_STEPS: readonly Step[] = WARM_KINDS.flatMap((kind) => [
  { kind, count: 1_000 },
  { kind, count: kind === 'accepted' ? 4_000 : 2_000 },
]);

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
