import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { BUNDLE, ENTRY } from './bundle.ts';

const SOURCES = fileURLToPath(new URL('../lambda', import.meta.url));

/** The name of the start script, in `lambda/` and in the asset. */
export const START_SCRIPT = 'start-script.sh';

/**
 * The bundle, and perhaps the start script, as an asset, named by the hash of its bytes. Lambda's user may read each file, and run the
 * script, whatever the umask of the build: the CDK's archive keeps modes, and the hash leaves them out, so that no build may write others.
 * @param folder of the bundle, on the file system of the app's output; absent: no bundle, for a template that is not deployed
 */
export function makeCode(folder: string | undefined, hasScript: boolean): lambda.Code {
  if (folder === undefined) return lambda.Code.fromAsset(SOURCES, { exclude: ['*', `!${START_SCRIPT}`] });
  for (const file of [BUNDLE, ENTRY]) chmodSync(join(folder, file), 0o644);
  if (hasScript) {
    copyFileSync(join(SOURCES, START_SCRIPT), join(folder, START_SCRIPT));
    chmodSync(join(folder, START_SCRIPT), 0o755);
  }
  return lambda.Code.fromAsset(folder, { exclude: hasScript ? [] : [START_SCRIPT] });
}
