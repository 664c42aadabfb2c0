import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ENTRY } from '../../infra/bundle.ts';
import { ROUTES } from '../../lambda/routes.ts';
import { bundleFile } from '../support/function-under-test.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import type { Observation } from './observed-process.ts';

/** Those beside the create. */
const FURTHER_OPERATIONS = Object.keys(ROUTES).length - 1;

/** Limits that do not depend on the machine's load. */
export const BUDGET = {
  bundleBytes: 208_000 + FURTHER_OPERATIONS * 2_500,
  gzippedBytes: 70_000 + FURTHER_OPERATIONS * 800,
  /** Built-in modules that Node loads only for the bundle. */
  builtIns: 39,
  /** One log line with Lambda's wrapper. */
  logBytes: 330,
} as const;

export const TO_RAISE = 'bytes of the bundle: BUDGET has some for each operation, and may be raised for more';

/** Built-in modules that the function does not need; each costs milliseconds. */
export const FORBIDDEN =
  /(^NativeModule |\/)(undici|http2|child_process|dgram|fs\/promises|readline|zlib|perf_hooks)(\/|$)/;

/**
 * Serves requests in a process of its own, which starts as in Lambda, over a scripted store.
 * @param variables that differ from those of a stage without settings
 * @param bundle of the function, and whether Lambda loads it without the start script beside it
 */
export async function observe(
  events: object[],
  variables: NodeJS.ProcessEnv = {},
  { bundle = bundleFile(), isPlain = false } = {},
) {
  const store = await ScriptedStore.start();
  const program = path.join(import.meta.dirname, 'observed-process.ts');
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: store.endpoint, ...variables };
  const args = [
    program,
    isPlain ? await bundle : path.join(await bundle, '..', ENTRY),
    JSON.stringify(events),
  ];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  await store.close();
  return { ...(JSON.parse(stdout) as Observation), stderr, calls: store.attempts };
}
