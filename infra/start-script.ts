import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from './stage-settings.ts';

const NAME = 'start.sh';

/** The program through which Lambda starts Node. Lambda unpacks the asset in /var/task. */
export const START_SCRIPT_VARIABLE = { AWS_LAMBDA_EXEC_WRAPPER: `/var/task/${NAME}` } as const;

/**
 * Whether Lambda starts the stage's function through `lambda/start.sh`. Windows cannot mark a file as executable, and the
 * function would not start: there the script is left out, with a warning.
 */
export function usesStartScript(
  scope: Construct,
  { name, startScript = true }: Stage,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (startScript && platform === 'win32')
    Annotations.of(scope).addWarningV2(
      'plant-store:noStartScript',
      `The function of ${name} starts without lambda/${NAME}, and more slowly: Windows cannot mark a file as executable. ` +
        'Deploy from Linux or macOS, or set startScript to false in infra/stages.ts.',
    );
  return startScript && platform !== 'win32';
}

/**
 * Copies the script into an asset. The CDK's archive for Lambda keeps a file's mode, and leaves it out of the asset's hash.
 * @throws Error if the folder's file system cannot mark it as executable
 */
export function copyStartScript(outdir: string, chmod: typeof chmodSync = chmodSync): void {
  const file = join(outdir, NAME);
  writeFileSync(file, readFileSync(new URL(`../lambda/${NAME}`, import.meta.url)));
  // Lambda's user is not the owner.
  chmod(file, 0o755);
  if ((statSync(file).mode & 0o555) !== 0o555)
    throw new Error(
      `${file} cannot be marked as executable, and the function would not start. Use another file system, or set ` +
        'startScript to false for the stage in infra/stages.ts.',
    );
}
