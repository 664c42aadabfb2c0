import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { BUNDLE, bundle, TARGET } from '../../infra/bundle.ts';

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

/** A program to measure. */
export interface Subject {
  readonly name: string;
  /** A file of `peers/`; without one, the function of a checkout of this project. */
  readonly entry?: string;
  /** Whether it is the function of this checkout as the setting `plain` has it, which Lambda starts without the script. */
  readonly isPlain?: boolean;
  /** The root of another checkout of this project to build instead of this one. */
  readonly checkout?: string;
}

/** A subject as it is deployed. */
export interface Bundle {
  /** The file that Lambda loads. */
  readonly file: string;
  /** Bytes, uncompressed and compressed as in the archive for Lambda. */
  readonly size: { readonly raw: number; readonly gzipped: number };
}

/** Bundles a subject: a checkout's function like the deployed one. @param folder a new one */
export async function bundleSubject(subject: Subject, folder: string): Promise<Bundle> {
  const { entry, isPlain, checkout = join(HERE, '../..') } = subject;
  if (isPlain) {
    await bundle(folder, [], true);
    const file = join(folder, BUNDLE);
    return { file, size: sizeOf(file) };
  }
  if (entry === undefined) {
    execFileSync(process.execPath, [join(checkout, 'infra/bundle.ts'), folder], { stdio: 'inherit' });
    // Another checkout may have other names.
    const written = (ending: string) =>
      join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? '');
    return { file: written('.mjs'), size: sizeOf(written('.cjs')) };
  }
  const file = join(folder, 'handler.cjs');
  const entryPoints = [join(HERE, 'peers', `${entry}.ts`)];
  await build({ ...USUAL, entryPoints, format: 'cjs', outfile: file });
  return { file, size: sizeOf(file) };
}

/** Bundles the stand-in for the Lambda runtime, so that no figure contains type stripping. @returns the bundle's path */
export async function bundleRuntime(folder: string): Promise<string> {
  const outfile = join(folder, 'runtime.mjs');
  await build({ ...USUAL, entryPoints: [join(HERE, 'runtime/main.ts')], format: 'esm', outfile });
  return outfile;
}

function sizeOf(file: string): Bundle['size'] {
  const content = readFileSync(file);
  return { raw: content.length, gzipped: gzipSync(content, { level: 9 }).length };
}
