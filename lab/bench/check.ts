import { builtinModules } from 'node:module';
import { type Bench, type Calls, run, takeCalls } from './drive.ts';
import type { Kind } from './runtime/events.ts';

/** Figures that need only one run. */
export interface Facts {
  /** Calls to the store for the first request of a process, and for one whose token is known. */
  readonly calls: { readonly first: number; readonly known: number };
  /** Bytes logged for one accepted request. */
  readonly logBytes: number;
  /** Built-in modules loaded by the time of the first response. */
  readonly builtins: string[];
}

/** The number of requests for the averages of calls and log size. */
const REPEATS = 10;

const sum = ({ GetItem, PutItem }: Calls) => GetItem + PutItem;

const EXPECTED: Record<Kind, number> = {
  accepted: 200,
  taken: 400,
  'bad-json': 400,
  'bad-plant': 400,
  'no-token': 400,
  'unknown-token': 400,
};

/**
 * Checks that a subject implements the operation: it responds to every kind of request as expected and signs every call.
 * @param hasSteps false for the empty handler, which is not checked
 * @throws Error with the first difference
 */
export async function checkSubject(
  bench: Bench,
  name: string,
  file: string,
  hasSteps: boolean,
): Promise<Facts> {
  await takeCalls(bench, true);
  const first = await run(bench, file);
  const firstCalls = await takeCalls(bench, true);
  const kinds = Object.keys(EXPECTED) as Kind[];
  const all = await run(bench, file, { steps: kinds.map((kind) => ({ kind, count: 1 })) });
  const allCalls = await takeCalls(bench, true);
  const more = await run(bench, file, { steps: [{ kind: 'accepted', count: REPEATS }] });
  const moreCalls = await takeCalls(bench, false);
  for (const { kind, status, body } of hasSteps ? all.steps : []) {
    if (status !== EXPECTED[kind]) throw new Error(`${name} returns ${kind} with ${status} ${body}`);
  }
  if (firstCalls.unsigned + allCalls.unsigned + moreCalls.unsigned > 0)
    throw new Error(`${name} signs its calls wrongly`);
  const loaded = new Set(first.modules.map((entry) => entry.replace(/^NativeModule /, '')));
  return {
    calls: { first: sum(firstCalls), known: (sum(moreCalls) - sum(firstCalls)) / REPEATS },
    logBytes: (more.steps[0]?.logBytes ?? 0) + (more.outputBytes - first.outputBytes) / REPEATS,
    builtins: builtinModules.filter((module) => loaded.has(module) && !module.startsWith('_')),
  };
}
