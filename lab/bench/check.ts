import { builtinModules } from 'node:module';
import { type Bench, run, takeUnsigned } from './drive.ts';
import type { Kind } from './runtime/events.ts';

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
 * @param hasSteps false for the empty handler, whose responses are not checked
 * @returns the built-in modules that it has loaded by the time of its first response
 * @throws Error with the first difference
 */
export async function checkSubject(bench: Bench, name: string, file: string, hasSteps: boolean) {
  await takeUnsigned(bench, true);
  const kinds = Object.keys(EXPECTED) as Kind[];
  const { steps, modules } = await run(bench, file, { steps: kinds.map((kind) => ({ kind, count: 1 })) });
  for (const { kind, status, body } of hasSteps ? steps : [])
    if (status !== EXPECTED[kind]) throw new Error(`${name} returns ${kind} with ${status} ${body}`);
  if ((await takeUnsigned(bench, false)) > 0) throw new Error(`${name} signs its calls wrongly`);
  const loaded = new Set(modules.map((entry) => entry.replace(/^NativeModule /, '')));
  return builtinModules.filter((module) => loaded.has(module) && !module.startsWith('_'));
}
