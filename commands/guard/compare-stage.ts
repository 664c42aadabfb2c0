import path from 'node:path';
import type { Stages } from '../../infra/find-stage.ts';
import { stackName } from '../../infra/names.ts';
import { STAGES } from '../../infra/stages.ts';
import { containsCommit, parseAliasDescription, readWorkingCopy } from '../../infra/working-copy.ts';
import { clientSettings, failed } from '../shared/aws.ts';
import { readCaller, refuseOtherAccount } from '../shared/deployed-stack.ts';
import { stageNamed } from '../shared/stage-option.ts';
import { field, findLosses, type Loss } from './losses.ts';
import { deployedTemplate, synthesize, type Template } from './templates.ts';

const PROJECT = path.join(import.meta.dirname, '../..');

/** Where the new template comes from, and what is accepted. */
export interface Choices {
  /** If absent, the stage is synthesized. */
  readonly newTemplate?: Template;
  /** Logical ids, or `all`. */
  readonly allowed?: readonly string[];
  /** Whether a stage without a stack is about to be deployed for the first time. */
  readonly isFirst?: boolean;
  /** The folder of the working copy that would be deployed. */
  readonly folder?: string;
}

/**
 * Compares the deployed template of a stage with the new one.
 * @returns what to print, and whether it is refused
 * @throws UsageError if the stage is not known; PlainError if it belongs to another account than the credentials, or a template
 *   cannot be read
 */
export async function compareStage(
  name: string,
  { newTemplate, isFirst = false, allowed = [], folder = PROJECT }: Choices,
  stages: Stages = STAGES,
): Promise<{ lines: string[]; isRefused: boolean }> {
  const stage = stageNamed(name, stages);
  const stack = stackName(name);
  // Another account has no such stack, which would look like a first deployment.
  if (stage.account !== undefined) {
    const { account } = await readCaller(clientSettings(stage)).catch(failed(`${stack} cannot be compared`));
    refuseOtherAccount(stage, account);
  }
  const before = await deployedTemplate(stage);
  if (!before)
    return isFirst
      ? { lines: [`${stack}: no such stack is deployed yet, so there is nothing to lose.`], isRefused: false }
      : // Perhaps the name of the stack has changed, and the one with the data would be left behind.
        {
          lines: [
            `${stack}: no such stack is deployed here. If this is its first deployment, say so: --first`,
          ],
          isRefused: true,
        };
  const { acceptedLosses = [] } = stage;
  const losses = [...oldCopy(before, folder), ...findLosses(before, newTemplate ?? synthesize(stage))];
  const isAccepted = ({ id, line }: Loss) =>
    acceptedLosses.includes(line) || allowed.includes(id) || allowed.includes('all');
  const refused = new Set(losses.filter((each) => !isAccepted(each)).map(({ id }) => id));
  const note = readWorkingCopy(folder).isModified ? ', with changes that are not committed' : '';
  const count = Object.keys(before.Resources).length;
  const summary =
    losses.length > 0
      ? `the new template may lose something${note}.`
      : `nothing would be lost (${count} resources checked${note}).`;
  const advice = `If it is intended, add the lines to acceptedLosses of ${name} in infra/stages.ts; by hand: --allow `;
  // After a deployment that made the change its entry is left over, which must not stop the next deployment.
  const leftOver = acceptedLosses.filter((accepted) => !losses.some(({ line }) => line === accepted));
  return {
    lines: [
      `${stack}: ${summary}`,
      ...losses.map((each) => `  ${each.line}${isAccepted(each) ? ' (accepted)' : ''}`),
      ...(refused.size > 0 ? [advice + [...refused]] : []),
      ...leftOver.map((line) => `Warning: nothing matches this entry in acceptedLosses; remove it: ${line}`),
    ],
    isRefused: refused.size > 0,
  };
}

/** An older working copy would bring back what the deployed commit has repaired. */
function oldCopy({ Resources: { Live } }: Template, folder: string): Loss[] {
  const { commit } = parseAliasDescription(field(Live?.Properties, 'Description') as string | undefined);
  if (commit === undefined || containsCommit(folder, commit)) return [];
  const { problem } = readWorkingCopy(folder);
  const line =
    problem === undefined
      ? `Live: commit ${commit} is deployed, which this working copy does not contain: git fetch first, and merge it.`
      : `Live: commit ${commit} is deployed, and whether this working copy contains it cannot be known: ${problem}`;
  return [{ id: 'Live', line }];
}
