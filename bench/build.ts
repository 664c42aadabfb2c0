import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { BUNDLE_NAME, bundle } from '../infra/bundle.ts';
import type { Subject } from './subjects.ts';

const HERE = import.meta.dirname;

/** What peers are bundled with: what the CDK's NodejsFunction does with `minify`, the SDK inside. */
const USUAL: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  logLevel: 'error',
};

/** CommonJS packages inside an ES module call `require`, which the module must then make for itself. */
const REQUIRE_BANNER =
  "import{createRequire as benchRequire}from'node:module';const require=benchRequire(import.meta.url);";

/** The weight of a bundle, in bytes. */
export interface Weight {
  readonly raw: number;
  readonly gzipped: number;
}

/** Bundles a subject. @returns the bundle's path */
export async function bundleSubject({ entry, format = 'cjs' }: Subject, folder: string): Promise<string> {
  // Ours by the stack's own build, so that what is measured is what is deployed.
  if (entry === 'ours') return bundleOurs(join(folder, 'ours'));
  const file = join(folder, `${entry}.${format === 'cjs' ? 'cjs' : 'mjs'}`);
  if (entry === 'ours-by-hand') await bundleOursByHand(file);
  else await bundlePeer(join(HERE, 'peers', `${entry}.ts`), format, file);
  return file;
}

/** Bundles the stand-in for the Lambda runtime, so that no type stripping is in any figure. */
export async function bundleRuntime(folder: string): Promise<string> {
  const outfile = join(folder, 'runtime.mjs');
  await build({ ...USUAL, entryPoints: [join(HERE, 'runtime/main.ts')], format: 'esm', outfile });
  return outfile;
}

/** Weighs a bundle as it is, and as the zip archive that Lambda gets would hold it. */
export function weigh(file: string): Weight {
  const content = readFileSync(file);
  return { raw: content.length, gzipped: gzipSync(content, { level: 9 }).length };
}

function bundleOurs(folder: string): string {
  bundle(folder);
  return join(folder, readdirSync(folder).find((file) => file.startsWith(`${BUNDLE_NAME}.`)) ?? '');
}

/** The floor for ours: its own modules on a client written by hand. */
async function bundleOursByHand(outfile: string): Promise<void> {
  const byHand = join(HERE, 'peers/shared/hand-sdk.ts');
  const alias = { '@aws-sdk/client-dynamodb': byHand };
  await build({ ...USUAL, alias, entryPoints: [join(HERE, '../lambda/handler.ts')], format: 'cjs', outfile });
}

async function bundlePeer(entry: string, format: 'cjs' | 'esm', outfile: string): Promise<void> {
  const banner = format === 'esm' && !entry.includes('client') ? { banner: { js: REQUIRE_BANNER } } : {};
  await build({ ...USUAL, ...banner, entryPoints: [entry], format, outfile });
}
