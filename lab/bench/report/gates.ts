import type { Measured } from '../measure.ts';
import { isOurs } from '../subjects.ts';
import { pairedRatio } from './statistics.ts';

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
  /** A better value to aim for. */
  readonly stretch?: number;
  readonly unit?: string;
}

/** A gate and the measured figure. */
export interface Result extends Gate {
  readonly measured: number;
  readonly verdict: 'stretch' | 'pass' | 'FAIL';
}

const instructions = (ours: Measured, peer: Measured) => ours.instructions / peer.instructions;
const paired = (figure: 'coldCpu' | 'warmCpu' | 'badJsonCpu' | 'noTokenCpu' | 'peak') => {
  return (ours: Measured, peer: Measured) => pairedRatio(ours[figure], peer[figure]);
};
const count = (...names: string[]) => {
  return ({ builtins }: Measured) =>
    names.length === 0 ? builtins.length : builtins.filter((name) => names.includes(name)).length;
};

const GATES: readonly Gate[] = [
  { figure: 'cold instructions', peer: 'client-dynamodb', value: instructions, gate: 0.85, stretch: 0.7 },
  { figure: 'cold instructions', peer: 'middy, ES module', value: instructions, gate: 1 },
  { figure: 'cold instructions', peer: 'Hono', value: instructions, gate: 1 },
  { figure: 'cold instructions', peer: 'by hand, no SDK', value: instructions, gate: 1.4, stretch: 1.15 },
  {
    figure: 'cold instructions',
    peer: 'ours on a hand-written client',
    value: instructions,
    gate: 1.35,
    stretch: 1.15,
  },
  { figure: 'cold CPU', peer: 'middy, ES module', value: paired('coldCpu'), gate: 0.65, stretch: 0.55 },
  { figure: 'warm CPU', peer: 'client-dynamodb', value: paired('warmCpu'), gate: 0.95, stretch: 0.7 },
  { figure: 'peak memory', peer: 'client-dynamodb', value: paired('peak'), gate: 0.8, stretch: 0.7 },
  { figure: 'refused (bad JSON) CPU', peer: 'Hono', value: paired('badJsonCpu'), gate: 0.6 },
  { figure: 'refused (no token) CPU', peer: 'Hono', value: paired('noTokenCpu'), gate: 0.6 },
  { figure: 'bundle, minified', value: ({ size }) => size.raw / 1000, gate: 230, stretch: 215, unit: ' kB' },
  { figure: 'bundle, gzipped', value: ({ size }) => size.gzipped / 1000, gate: 75, stretch: 72, unit: ' kB' },
  { figure: 'built-in modules that it does not need', value: count(...NEEDLESS), gate: 0, unit: '' },
  { figure: 'built-in modules', value: count(), gate: 36, unit: '' },
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
