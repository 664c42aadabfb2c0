/**
 * Loaded first into each Node process of a test run, by NODE_OPTIONS. `slowness` in the query of its URL is the factor by which time
 * limits are stretched.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';

const slowness = Number(new URL(import.meta.url).searchParams.get('slowness'));

/** The interval between checks that the parent process continues, in milliseconds. */
const LOOK_MS = 250;
/** In milliseconds: timers between these count as the service's time limits. Shorter ones are pauses. */
const LIMITS = { least: 300, most: 10_000 };

// A server that a test started must not outlive a run that was killed.
const { ppid } = process;
setInterval(() => {
  if (process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
}, LOOK_MS).unref();

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
