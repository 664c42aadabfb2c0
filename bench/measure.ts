import type { Weight } from './build.ts';
import type { Facts } from './check.ts';
import { type Bench, run } from './drive.ts';
import type { Step } from './runtime/main.ts';
import type { Subject } from './subjects.ts';

/** A subject with its bundle and everything that was found out about it; times in milliseconds, one per round. */
export interface Measured extends Facts {
  readonly subject: Subject;
  readonly file: string;
  readonly weight: Weight;
  readonly instructions?: number;
  readonly coldWall: number[];
  readonly coldCpu: number[];
  readonly warmCpu: number[];
  readonly badJsonCpu: number[];
  readonly noTokenCpu: number[];
  /** Megabytes after 5,000 requests. */
  readonly peak: number[];
}

const WARM_UP = 1_000;
const MEASURED = 4_000;
const REFUSED = 2_000;

/** 5,000 accepted requests, then refused ones; of each kind the first are for the compiler and not measured. */
const WARM_STEPS: readonly Step[] = [
  { kind: 'accepted', count: WARM_UP },
  { kind: 'accepted', count: MEASURED },
  { kind: 'bad-json', count: WARM_UP },
  { kind: 'bad-json', count: REFUSED },
  { kind: 'no-token', count: WARM_UP },
  { kind: 'no-token', count: REFUSED },
];

/** One round of cold starts: each subject once, in an order that turns with the rounds so that nobody is always first. */
export async function coldRound(bench: Bench, all: readonly Measured[], round: number): Promise<void> {
  for (const { file, coldCpu, coldWall } of turned(all, round)) {
    const { cpu, wall } = await run(bench, file);
    coldCpu.push(cpu / 1000);
    coldWall.push(wall);
  }
}

/** One round of warm processes. */
export async function warmRound(bench: Bench, all: readonly Measured[], round: number): Promise<void> {
  for (const measured of turned(all, round)) {
    const { steps } = await run(bench, measured.file, { steps: WARM_STEPS });
    const [, accepted, , badJson, , noToken] = steps;
    measured.warmCpu.push((accepted?.cpu ?? Number.NaN) / 1000);
    measured.peak.push((accepted?.peakKilobytes ?? Number.NaN) / 1024);
    measured.badJsonCpu.push((badJson?.cpu ?? Number.NaN) / 1000);
    measured.noTokenCpu.push((noToken?.cpu ?? Number.NaN) / 1000);
  }
}

function turned<T>(all: readonly T[], round: number): T[] {
  const from = round % all.length;
  return [...all.slice(from), ...all.slice(0, from)];
}
