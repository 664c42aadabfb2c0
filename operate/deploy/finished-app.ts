import path from 'node:path';
import { PlainError } from '../../cli/plain-error.ts';
import { readWorkingCopy } from '../../infra/working-copy.ts';
import type { GuardValues } from '../guard/options.ts';
import { field, finishedTemplate } from '../guard/templates.ts';

const PROJECT = path.join(import.meta.dirname, '../..');

/**
 * Refuses a finished `cdk.out` that moves the traffic in another way than the command line says: `-c` does not change it any more.
 * @throws PlainError then, or if it is not of this stage and of this working copy's commit
 */
export function refuseOtherCanary(
  stage: string,
  { app, commit, usesCanary }: GuardValues & { readonly usesCanary: boolean },
): void {
  if (app === undefined) return;
  const { Live } = finishedTemplate(app, stage, readWorkingCopy(PROJECT, commit).commit).Resources;
  const hasCanary = field(Live, 'UpdatePolicy') !== undefined;
  if (hasCanary === usesCanary) return;
  const ways = hasCanary
    ? 'for CodeDeploy, and --no-canary was given: synthesize it with -c canary=off'
    : 'with -c canary=off: give --no-canary';
  throw new PlainError(`Nothing was deployed: ${app} was synthesized ${ways}.`);
}
