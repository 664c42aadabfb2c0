import { chmodSync, copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage, Stack, Stage } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { bundle } from './bundle.ts';
import { START_SCRIPT } from './start-script.ts';

const SOURCES = fileURLToPath(new URL('../lambda', import.meta.url));

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
          return true;
        },
      },
    },
  });
}

/**
 * Lets Lambda's user read a function's asset, whatever the umask of the build. The CDK's archive keeps each file's mode, but the
 * asset's hash leaves modes out: under the same hash, the CDK keeps a folder or an archive of an earlier build. So this runs
 * after the CDK has chosen the folder, and removes the archive. (The names of both are those of aws-cdk-lib 2.276 and aws-cdk 2.1148.)
 * @throws Error if the folder is not there, or its file system does not keep the modes
 */
export function setAssetModes(current: lambda.Function): void {
  // Then there is no asset but the sources.
  if (!Stack.of(current).bundlingRequired) return;
  const { outdir } = Stage.of(current) as Stage;
  const { assetHash } = current.node.findChild('Code') as Asset;
  setModes(join(outdir, `asset.${assetHash}`));
  rmSync(join(outdir, '.cache', `${assetHash}.zip`), { force: true });
}

/** {@link setAssetModes} for a folder. */
export function setModes(folder: string, chmod: typeof chmodSync = chmodSync): void {
  chmod(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const mode = entry.isDirectory() || entry.name === START_SCRIPT ? 0o755 : 0o644;
    chmod(file, mode);
    // Lambda's user is not the owner. Who may write is of no importance in Lambda.
    const needed = mode & 0o555;
    if ((statSync(file).mode & needed) !== needed)
      throw new Error(
        `${file} does not keep the mode ${mode.toString(8)}, and the function would not start. Use another file system` +
          (entry.name === START_SCRIPT
            ? ', or set startScript to false for the stage in infra/stages.ts.'
            : '.'),
      );
  }
}
