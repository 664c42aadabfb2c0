import { chmodSync, copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { bundle } from './bundle.ts';

const SOURCES = fileURLToPath(new URL('../lambda', import.meta.url));

/** The name of the start script, in `lambda/` and in the asset. */
export const START_SCRIPT = 'start-script.sh';

/**
 * The bundle, and perhaps the start script, as an asset, named by the hash of its bytes. The context key `bundling-stacks`
 * can switch bundling off.
 */
export function makeCode(hasScript: boolean): lambda.Code {
  return lambda.Code.fromAsset(SOURCES, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the type, but never pulled: `local` always succeeds.
      image: DockerImage.fromRegistry('none'),
      // Not used either, but bundlings that differ in nothing but `local` share one asset.
      environment: { hasScript: String(hasScript) },
      local: {
        tryBundle(outdir) {
          bundle(outdir);
          if (hasScript) copyFileSync(join(SOURCES, START_SCRIPT), join(outdir, START_SCRIPT));
          setModes(outdir);
          return true;
        },
      },
    },
  });
}

/**
 * Lets Lambda's user read the files of an asset, and run its start script, whatever the umask of the build: the CDK's archive
 * keeps each file's mode. The asset's hash leaves modes out, so that no build may write others.
 * @throws Error if the file system does not keep the modes
 */
export function setModes(folder: string, chmod: typeof chmodSync = chmodSync): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const isScript = name === START_SCRIPT;
    const mode = isScript ? 0o755 : 0o644;
    chmod(file, mode);
    // Lambda's user is not the owner. Who may write is of no importance in Lambda.
    const needed = mode & 0o555;
    if ((statSync(file).mode & needed) !== needed)
      throw new Error(
        `${file} does not keep the mode ${mode.toString(8)}, and the function would not start. Use another file system` +
          (isScript ? ', or set startScript to false for the stage in infra/stages.ts.' : '.'),
      );
  }
}
