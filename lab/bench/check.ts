import { builtinModules } from 'node:module';
import { type Bench, run } from './drive.ts';
import type { Kind } from './runtime/events.ts';

/** All but the first must get 400. */
const KINDS: readonly Kind[] = ['accepted', 'taken', 'bad-json', 'bad-plant', 'no-token', 'unknown-token'];

/**
 * Checks that a subject implements the operation: it responds to every kind of request as expected.
 * @param hasSteps false for the empty handler, whose responses are not checked
 * @returns the built-in modules that it has loaded by the time of its first response
 * @throws Error with the first difference
 */
export async function checkSubject(bench: Bench, name: string, file: string, hasSteps: boolean) {
  const { steps, modules } = await run(bench, file, { steps: KINDS.map((kind) => ({ kind, count: 1 })) });
  for (const { kind, status, body } of hasSteps ? steps : [])
    if (status !== (kind === 'accepted' ? 200 : 400))
      throw new Error(`${name} returns ${kind} with ${status} ${body}`);
  const loaded = new Set(modules.map((entry) => entry.replace(/^NativeModule /, '')));
  return builtinModules.filter((module) => loaded.has(module) && !module.startsWith('_'));
}
