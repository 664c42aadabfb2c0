import type { Measured } from '../measure.ts';
import { median, pairedRatio } from '../statistics.ts';

/** One line of the table of what this project promises about its cost. */
export interface Gate {
  readonly figure: string;
  readonly value: number;
  readonly gate: number;
  readonly stretch?: number;
  /** Gates on a ratio below 1 are strict; all others allow equality. */
  readonly unit: '' | ' kB' | ' modules';
}

/** Modules whose loading costs milliseconds and that creating a plant has no use for. */
export const NEEDLESS = ['undici', 'http2', 'child_process', 'dgram', 'fs/promises', 'readline'];

/** Compares ours with its peers, as far as they were measured. */
export function gates(all: readonly Measured[]): Gate[] {
  const find = (name: string) => all.find(({ subject }) => subject.name === name);
  const ours = find('ours');
  if (!ours) return [];
  const client = find('client-dynamodb, CommonJS');
  const floor = find('by hand, no SDK');
  const sameWork = find('ours on a hand-written client');
  const usual = find('middy, usual bundle');
  const lite = find('aws-lite');
  const hono = find('Hono');
  const gate = (figure: string, value: number, gate: number, stretch?: number): Gate => ({
    figure,
    value,
    gate,
    unit: '',
    ...(stretch === undefined ? {} : { stretch }),
  });
  const count = (peer: Measured) => (ours.instructions ?? Number.NaN) / (peer.instructions ?? Number.NaN);
  const peers = all.filter(({ subject }) => ['sdk', 'framework'].includes(subject.group));
  const list: Gate[] = [];
  if (client) list.push(gate('cold instructions / client-dynamodb, CommonJS', count(client), 0.85, 0.7));
  if (floor) list.push(gate('cold instructions / by hand, no SDK', count(floor), 1.35, 1.15));
  if (sameWork)
    list.push(gate('cold instructions / ours on a hand-written client', count(sameWork), 1.35, 1.15));
  if (peers.length > 0)
    list.push(
      gate('cold instructions / the best official-SDK or framework peer', Math.max(...peers.map(count)), 1),
    );
  if (lite) list.push(gate('cold instructions / aws-lite', count(lite), Number.NaN, 1));
  if (usual)
    list.push(gate('cold CPU / middy, usual bundle', pairedRatio(ours.coldCpu, usual.coldCpu), 0.65, 0.55));
  if (client) {
    list.push(gate('warm CPU / client-dynamodb', pairedRatio(ours.warmCpu, client.warmCpu), 0.95, 0.7));
    list.push(gate('peak memory / client-dynamodb', pairedRatio(ours.peak, client.peak), 0.8, 0.7));
  }
  if (hono) {
    list.push(gate('refused (bad JSON) CPU / Hono', pairedRatio(ours.badJsonCpu, hono.badJsonCpu), 0.6));
    list.push(gate('refused (no token) CPU / Hono', pairedRatio(ours.noTokenCpu, hono.noTokenCpu), 0.6));
  }
  const kilobytes = (bytes: number) => bytes / 1000;
  list.push({ ...gate('bundle, minified', kilobytes(ours.weight.raw), 230, 215), unit: ' kB' });
  list.push({ ...gate('bundle, gzipped', kilobytes(ours.weight.gzipped), 75, 72), unit: ' kB' });
  const needless = ours.builtins.filter((module) => NEEDLESS.includes(module));
  list.push({
    ...gate(`needless built-ins loaded (${needless.join(', ')})`, needless.length, 0),
    unit: ' modules',
  });
  list.push({ ...gate('built-ins loaded', ours.builtins.length, Number.NaN, 36), unit: ' modules' });
  return list.filter(({ value }) => !Number.isNaN(value));
}

/** The verdict on a gate, in a word. */
export function verdict({ value, gate, stretch, unit }: Gate): string {
  if (stretch !== undefined && value <= stretch) return 'stretch';
  if (Number.isNaN(gate)) return 'over';
  const isUnder = unit === '' && gate === 1 ? value < gate : value <= gate;
  return isUnder ? 'pass' : 'FAIL';
}

/** Medians of a subject's rounds, or NaN where it was not measured. */
export function medianOf(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : median(values);
}
