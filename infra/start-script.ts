import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from './stage-settings.ts';

/** The name of the script, in `lambda/` and in the asset. */
export const START_SCRIPT = 'start-script.sh';

/** The program through which Lambda starts Node. Lambda unpacks the asset in /var/task. */
export const START_SCRIPT_VARIABLE = { AWS_LAMBDA_EXEC_WRAPPER: `/var/task/${START_SCRIPT}` } as const;

/**
 * Whether Lambda starts the stage's function through `lambda/start-script.sh`. Windows cannot mark a file as executable, and the
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
      `The function of ${name} starts without lambda/${START_SCRIPT}, and more slowly: Windows cannot mark a file as executable. ` +
        'Deploy from Linux or macOS, or set startScript to false in infra/stages.ts.',
    );
  return startScript && platform !== 'win32';
}
