import { chmodSync, copyFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { BUNDLE, ENTRY } from './bundle.ts';

const SOURCES = fileURLToPath(new URL('../lambda', import.meta.url));

/** The name of the start script, in `lambda/` and in the asset. */
export const START_SCRIPT = 'start-script.sh';

/**
 * The bundle, and perhaps the start script, as an asset, named by the hash of its bytes.
 * @param folder of the bundle, on the file system of the app's output; absent: no bundle, for a template that is not deployed
 */
export function makeCode(folder: string | undefined, hasScript: boolean): lambda.Code {
  if (folder === undefined) return lambda.Code.fromAsset(SOURCES, { exclude: ['*', `!${START_SCRIPT}`] });
  for (const file of [BUNDLE, ENTRY]) setMode(join(folder, file));
  if (hasScript) {
    copyFileSync(join(SOURCES, START_SCRIPT), join(folder, START_SCRIPT));
    setMode(join(folder, START_SCRIPT));
  }
  return lambda.Code.fromAsset(folder, { exclude: hasScript ? [] : [START_SCRIPT] });
}

/**
 * Lets Lambda's user read a file of an asset, and run it if it is the start script, whatever the umask of the build: the CDK's
 * archive keeps each file's mode. The asset's hash leaves modes out, so that no build may write others.
 * @throws Error if the file system does not keep the mode
 */
export function setMode(file: string, chmod: typeof chmodSync = chmodSync): void {
  const isScript = basename(file) === START_SCRIPT;
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
