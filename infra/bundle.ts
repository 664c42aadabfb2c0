import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The name of the bundled file without its ending; Lambda's handler setting begins with it. */
export const BUNDLE_NAME = 'handler';

/**
 * Bundles the function with everything it needs, the AWS SDK included, so that what was tested is what runs: the
 * runtime's own SDK changes without notice. The same sources give the same bytes in whatever folder they lie.
 * @param outdir where to write `handler.mjs`; made if it does not exist
 * @throws Error with esbuild's messages when the sources do not build
 */
export function bundle(outdir: string): void {
  buildSync({
    // esbuild names modules by their path from here, so no folder of one machine gets into the output.
    absWorkingDir: ROOT,
    entryPoints: [{ in: 'lambda/handler.ts', out: BUNDLE_NAME }],
    outdir: resolve(outdir),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // The SDK's CommonJS builds cannot be tree-shaken, and would need a banner that makes `require`.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
  });
}
