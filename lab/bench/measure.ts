import type { Size } from './build.ts';
import type { Facts } from './check.ts';
import { type Bench, run } from './drive.ts';
import type { Step } from './runtime/main.ts';
import type { Subject } from './subjects.ts';

/** A subject with its bundle and its figures. Times are in milliseconds, one per round. */
export interface Measured extends Facts {
  readonly subject: Subject;
  readonly file: string;
  readonly size: Size;
  /** From the start of the process to its first answer; NaN without valgrind. */
  readonly instructions: number;
  readonly coldWall: number[];
  readonly coldCpu: number[];
  readonly warmCpu: number[];
  readonly badJsonCpu: number[];
  readonly noTokenCpu: number[];
  /** Megabytes after 5,000 requests. */
  readonly peak: number[];
}

/** 5,000 accepted requests, then refused ones. The first 1,000 of each kind are a warm-up and do not count. */
const WARM_STEPS: readonly Step[] = [
  { kind: 'accepted', count: 1_000 },
  { kind: 'accepted', count: 4_000 },
  { kind: 'bad-json', count: 1_000 },
  { kind: 'bad-json', count: 2_000 },
  { kind: 'no-token', count: 1_000 },
  { kind: 'no-token', count: 2_000 },
];

/** One round of cold starts: each subject once, starting with a different one in each round. */
export async function coldRound(bench: Bench, all: readonly Measured[], round: number): Promise<void> {
  for (const { file, coldCpu, coldWall } of rotated(all, round)) {
    const { cpu, wall } = await run(bench, file);
    coldCpu.push(cpu / 1000);
    coldWall.push(wall);
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
