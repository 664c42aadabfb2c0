import { type Measured, WARM_KINDS } from '../measure.ts';
import type { Kind } from '../runtime/events.ts';
import { isOurs } from '../subjects.ts';
import { asDeployed, likeForLike } from './ratios.ts';
import { pairedRatio } from './statistics.ts';

/** The unit of the figures that are neither ratios nor whole numbers. */
export const MILLIONS = ' million';

/** Modules that take milliseconds to load and are not needed to create a plant. */
const NEEDLESS = ['undici', 'http2', 'child_process', 'dgram', 'fs/promises', 'readline'];

/** A limit for one of our figures. */
interface Gate {
  readonly figure: string;
  /** Computes the figure. @param peer the subject that the figure is a ratio to */
  readonly value: (ours: Measured, peer: Measured) => number;
  /** The subject of the comparison; without one, the figure is an absolute number. */
  readonly peer?: string;
  readonly gate: number;
  /** A better value to aim for; those of cold starts would need a code cache (levers.md). */
  readonly stretch?: number;
  readonly unit?: string;
}

/** A gate and the measured figure. */
export interface Result extends Gate {
  readonly measured: number;
  readonly verdict: 'stretch' | 'pass' | 'FAIL';
}

const peak = (ours: Measured, peer: Measured) => pairedRatio(ours.peak, peer.peak);
const count = (...names: string[]) => {
  return ({ builtins }: Measured) =>
    names.length === 0 ? builtins.length : builtins.filter((name) => names.includes(name)).length;
};
const COLD = 'cold instructions, like for like';
const DEPLOYED = 'cold instructions, as deployed';
const warm = (kind: Kind) => (ours: Measured) =>
  (ours.warmCounts[WARM_KINDS.indexOf(kind)] ?? Number.NaN) / 1e6;

/**
 * No gate is a time, which depends on the load. A gate on instructions is the value measured when it was set, and 3 %: cold starts
 * of one program differ by 1 %, warm requests by 0.1 %; docs/performance.md has the figures of 2026-11-22. Those of refused
 * requests were raised by 4 % when the line of the log became one object, of which JSON omits what has no value. Peak memory
 * differs by 5 %, so its gate has more room. The others do not vary; the bundle's are those of `test/bundle/budgets.test.ts`.
 */
const GATES: readonly Gate[] = [
  { figure: COLD, peer: 'by hand, no SDK', value: likeForLike, gate: 1.545, stretch: 1.15 },
  { figure: COLD, peer: 'ours on a hand-written client', value: likeForLike, gate: 1.415, stretch: 1.15 },
  { figure: COLD, peer: 'aws-lite', value: likeForLike, gate: 1.25 },
  { figure: COLD, peer: 'client-dynamodb', value: likeForLike, gate: 0.835, stretch: 0.7 },
  { figure: COLD, peer: 'middy, ES module', value: likeForLike, gate: 0.705 },
  { figure: COLD, peer: 'Hono', value: likeForLike, gate: 0.68 },
  { figure: DEPLOYED, peer: 'by hand, no SDK', value: asDeployed, gate: 1.125 },
  { figure: DEPLOYED, peer: 'aws-lite', value: asDeployed, gate: 0.96 },
  { figure: DEPLOYED, peer: 'client-dynamodb', value: asDeployed, gate: 0.645 },
  { figure: 'warm instructions', value: warm('accepted'), gate: 4.03, unit: MILLIONS },
  { figure: 'refused (bad JSON) instructions', value: warm('bad-json'), gate: 0.635, unit: MILLIONS },
  { figure: 'refused (no token) instructions', value: warm('no-token'), gate: 0.415, unit: MILLIONS },
  { figure: 'peak memory', peer: 'client-dynamodb', value: peak, gate: 0.7 },
  { figure: 'bundle, minified', value: ({ size }) => size.raw / 1000, gate: 217, unit: ' kB' },
  { figure: 'bundle, gzipped', value: ({ size }) => size.gzipped / 1000, gate: 72, unit: ' kB' },
  { figure: 'built-in modules that it does not need', value: count(...NEEDLESS), gate: 0, unit: '' },
  { figure: 'built-in modules', value: count(), gate: 24, unit: '' },
];

/** Checks each gate, except those whose peer or figure was not measured. */
export function checkGates(all: readonly Measured[]): Result[] {
  const ours = all.find(({ subject }) => isOurs(subject));
  return GATES.flatMap((gate) => {
    const peer = gate.peer === undefined ? ours : all.find(({ subject }) => subject.name === gate.peer);
    const measured = ours && peer ? gate.value(ours, peer) : Number.NaN;
    if (Number.isNaN(measured)) return [];
    const reached = measured <= (gate.stretch ?? Number.NaN) ? 'stretch' : 'pass';
    return [{ ...gate, measured, verdict: measured <= gate.gate ? reached : 'FAIL' }];
  });
}
