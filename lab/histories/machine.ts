import http from 'node:http';
import { createRequire } from 'node:module';
import type { Clock } from '../../test/support/clock.ts';

/** What the function and the client have instead of a machine. */
export interface Machine {
  readonly clock: Clock;
  /** Replaces `http.request`, the function's only way out. */
  readonly request: (options: http.RequestOptions) => unknown;
}

/** The time at which every history starts, in milliseconds since the epoch. */
export const EPOCH = Date.UTC(2026, 0, 1);

/** The globals and the built-in modules that have to do with time, chance or the network. */
export function globalsOf(machine: () => Machine) {
  const timers = {
    setTimeout: (run: () => void, ms?: number) => machine().clock.setTimeout(run, ms),
    clearTimeout: (timer: object) => machine().clock.clearTimeout(timer),
  };
  const now = () => machine().clock.now;
  class VirtualDate extends Date {
    constructor(...values: []) {
      super(...(values.length > 0 ? values : ([EPOCH + now()] as unknown as [])));
    }
    static override now = () => EPOCH + now();
  }
  const web = { Agent: http.Agent, request: (options: http.RequestOptions) => machine().request(options) };
  const modules: Record<string, unknown> = {
    timers,
    'timers/promises': {
      setTimeout: (ms: number, value: unknown, options?: { signal?: AbortSignal }) =>
        sleep(timers, ms, options?.signal).then(() => value),
    },
    http: web,
    https: web,
  };
  const real = createRequire(import.meta.url);
  return {
    ...timers,
    Date: VirtualDate,
    Math: Object.create(Math, { random: { value: () => 0.5 } }) as Math,
    performance: { now },
    require: (name: string) => modules[name.replace('node:', '')] ?? real(name),
  };
}

function sleep(timers: Pick<Clock, 'setTimeout' | 'clearTimeout'>, ms: number, signal?: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = timers.setTimeout(() => resolve(), ms);
    signal?.addEventListener('abort', () => {
      timers.clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
