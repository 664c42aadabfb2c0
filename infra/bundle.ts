import { chmodSync, copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { leanSdk } from './lean-sdk.ts';
import { absentVariables } from './optional-code.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The function's sources. */
export const SOURCES = join(ROOT, 'lambda');

/** esbuild's target: the language and the built-in modules of the function's runtime. */
export const TARGET = 'node24';

/** The file that Lambda loads, copied from `lambda/`. */
export const ENTRY = 'init.mjs';

/** The bundle of `lambda/handler.ts`, which {@link ENTRY} loads. */
export const BUNDLE = 'bundle.cjs';

/** Lambda's handler setting: {@link ENTRY}, or of a plain function {@link BUNDLE}, without its ending, and what it exports. */
export const HANDLER = 'init.handler';
export const PLAIN_HANDLER = 'bundle.handler';

/** The program through which Lambda may start Node, copied from `lambda/`. */
export const START_SCRIPT = 'start-script.sh';

/**
 * Bundles the function with all that it needs, including the AWS SDK: the runtime's own SDK changes without notice. The
 * same sources give the same bytes in any folder. Lambda's user may read each file, and run the script, whatever the umask of the
 * build: the CDK's archive keeps modes, and the asset's hash leaves them out, so that no build may write others.
 * @param outdir where to write {@link BUNDLE}, {@link ENTRY} and {@link START_SCRIPT}; created if it does not exist
 * @param variables that the function has for its optional code; the bundle has no code for another one
 * @param isPlain only {@link BUNDLE} then, with the SDK as it is published
 * @throws Error with esbuild's messages if the build fails
 */
export async function bundle(
  outdir: string,
  variables: readonly string[] = [],
  isPlain = false,
): Promise<void> {
  await esbuild.build({
    // esbuild names modules by their path from here, so the output contains no machine's folders.
    absWorkingDir: ROOT,
    entryPoints: ['lambda/handler.ts'],
    outfile: resolve(outdir, BUNDLE),
    // An ES module that imports a Node built-in makes Node evaluate all of its exports; `node:http` then loads undici,
    // a quarter of the cold start (nodejs/node#59686). `require` does not.
    format: 'cjs',
    bundle: true,
    minify: true,
    platform: 'node',
    target: TARGET,
    // The sources stay ES modules: the SDK's CommonJS builds cannot be tree-shaken.
    mainFields: ['module', 'main'],
    define: Object.fromEntries(
      absentVariables(variables).map((name) => [`process.env.${name}`, 'undefined']),
    ),
    plugins: isPlain ? [] : [leanSdk()],
    legalComments: 'none',
    logLevel: 'warning',
  });
  chmodSync(join(outdir, BUNDLE), 0o644);
  if (isPlain) return;
  for (const file of [ENTRY, START_SCRIPT]) copyFileSync(join(SOURCES, file), join(outdir, file));
  chmodSync(join(outdir, ENTRY), 0o644);
  chmodSync(join(outdir, START_SCRIPT), 0o755);
}

if (import.meta.main) await bundle(process.argv[2] ?? '', process.argv.slice(3));
