import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { BUNDLE, ENTRY, TARGET } from '../../infra/bundle.ts';
import type { Subject } from './subjects.ts';

const HERE = import.meta.dirname;

/** The options of the CDK's NodejsFunction with `minify` and a bundled SDK. */
const USUAL: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: TARGET,
  mainFields: ['module', 'main'],
  logLevel: 'error',
};

/** Defines `require`, which an ES module lacks, for the CommonJS packages in it. */
const REQUIRE_BANNER =
  "import{createRequire as benchRequire}from'node:module';const require=benchRequire(import.meta.url);";

/** Bundles a subject. @returns the bundle's path */
export async function bundleSubject(subject: Subject, folder: string): Promise<string> {
  const { name, entry, format } = subject;
  const outfile = join(folder, `${name.replaceAll(/\W+/g, '-')}.${format === 'cjs' ? 'cjs' : 'mjs'}`);
  if (entry === 'ours') return bundleOurs(subject, outfile);
  const banner = format === 'esm' ? { banner: { js: REQUIRE_BANNER } } : {};
  await build({ ...USUAL, ...banner, entryPoints: [join(HERE, 'peers', `${entry}.ts`)], format, outfile });
  return outfile;
}

/** Bundles the stand-in for the Lambda runtime, so that no figure contains type stripping. */
export async function bundleRuntime(folder: string): Promise<string> {
  const outfile = join(folder, 'runtime.mjs');
  await build({ ...USUAL, entryPoints: [join(HERE, 'runtime/main.ts')], format: 'esm', outfile });
  return outfile;
}

/** The size of a bundle in bytes: uncompressed, and compressed as in the archive for Lambda. */
export function sizeOf(file: string) {
  // What Lambda loads of ours is another file.
  const content = readFileSync(basename(file) === ENTRY ? join(file, '..', BUNDLE) : file);
  return { raw: content.length, gzipped: gzipSync(content, { level: 9 }).length };
}

/** Ours is built like the deployed function. */
function bundleOurs({ checkout = join(HERE, '../..') }: Subject, folder: string): string {
  execFileSync(process.execPath, [join(checkout, 'infra/bundle.ts'), folder], { stdio: 'inherit' });
  // A checkout of before 26 November 2026 has no other file.
  return [ENTRY, BUNDLE].map((name) => join(folder, name)).find(existsSync) ?? '';
}
