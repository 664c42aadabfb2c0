/**
 * Loaded first into each Node process of a test run, by NODE_OPTIONS. The query of its URL has the settings: `root` is
 * the run's temporary folder, and `slowness` is the factor by which time limits are stretched.
 */
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import timers from 'node:timers';

const { searchParams } = new URL(import.meta.url);
const root = searchParams.get('root') ?? '';
const slowness = Number(searchParams.get('slowness'));

/** The interval between checks that the run continues, in milliseconds. */
const LOOK_MS = 250;
/** In milliseconds: timers between these count as the service's time limits. Shorter ones are pauses. */
const LIMITS = { least: 300, most: 10_000 };

// The mark disappears when the run ends, for whatever reason; a server that a test started must not outlive the run. The
// folder cannot be the mark: a process that was just starting creates it again for its data.
const mark = path.join(root, 'run');
const endWithTheRun = () => {
  if (!existsSync(mark)) process.kill(process.pid, 'SIGKILL');
};
endWithTheRun();
setInterval(endWithTheRun, LOOK_MS).unref();

// A busy machine must not make a request reach the service's time limits. Tests of the limits move a clock by hand.
const { setTimeout } = globalThis;
const patient = (callback: () => void, ms = 0, ...values: []) => {
  const isLimit = ms >= LIMITS.least && ms <= LIMITS.most;
  return setTimeout(callback, isLimit ? ms * slowness : ms, ...values);
};
globalThis.setTimeout = Object.defineProperties(
  patient,
  Object.getOwnPropertyDescriptors(setTimeout),
) as typeof setTimeout;
// middy takes its timer from the module.
timers.setTimeout = globalThis.setTimeout;
syncBuiltinESMExports();
