import { builtinModules } from 'node:module';
import { type Bench, run, takeCalls } from './drive.ts';
import type { Kind } from './runtime/events.ts';

/** Calls to the store and built-in modules: figures that one run settles. */
export interface Facts {
  /** Calls for the first request of a process, and for one with a known token. */
  readonly calls: { readonly first: number; readonly known: number };
  readonly logBytes: number;
  /** Built-in modules that a program can require, loaded by the first answer. */
  readonly builtins: string[];
}

/** How many requests the log's size is averaged over. */
const LOGGED = 10;

const EXPECTED: Record<Kind, number> = {
  accepted: 200,
  taken: 400,
  'bad-json': 400,
  'bad-plant': 400,
  'no-token': 400,
  'unknown-token': 400,
};

/**
 * Proves that a subject does the operation: every kind of request has its answer, every call its right signature.
 * @param isWhole false for the empty handler, of which nothing is expected
 * @throws Error naming the first thing that is not so
 */
export async function checkSubject(
  bench: Bench,
  name: string,
  file: string,
  isWhole: boolean,
): Promise<Facts> {
  await takeCalls(bench, true);
  const first = await run(bench, file);
  const firstCalls = await takeCalls(bench, true);
  const kinds = Object.keys(EXPECTED) as Kind[];
  const all = await run(bench, file, { steps: kinds.map((kind) => ({ kind, count: 1 })) });
  const allCalls = await takeCalls(bench, false);
  const more = await run(bench, file, { steps: [{ kind: 'accepted', count: LOGGED }] });
  for (const { kind, status, body } of isWhole ? all.steps : []) {
    if (status !== EXPECTED[kind]) throw new Error(`${name} answers ${kind} with ${status} ${body}`);
  }
  if (firstCalls.unsigned + allCalls.unsigned > 0) throw new Error(`${name} signs its calls wrongly`);
  const count = firstCalls.GetItem + firstCalls.PutItem;
  // In the second process: the first request, one accepted, one taken, and the look-up of the unknown token.
  const known = isWhole ? allCalls.PutItem - 2 : 0;
  const loaded = new Set(first.modules.map((entry) => entry.replace(/^NativeModule /, '')));
  return {
    calls: { first: count, known },
    logBytes: (more.steps[0]?.logBytes ?? 0) + (more.outputBytes - first.outputBytes) / LOGGED,
    builtins: builtinModules.filter((module) => loaded.has(module) && !module.startsWith('_')),
  };
}
