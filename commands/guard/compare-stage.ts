import path from 'node:path';
import { findStage, isStage, type Stages } from '../../infra/find-stage.ts';
import { stackName } from '../../infra/names.ts';
import { otherPlace } from '../../infra/place.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { STAGES } from '../../infra/stages.ts';
import { containsCommit, parseAliasDescription, readWorkingCopy } from '../../infra/working-copy.ts';
import { clientSettings, failed } from '../shared/aws.ts';
import { readCaller, refuseOtherAccount } from '../shared/deployed-stack.ts';
import { stageNamed } from '../shared/stage-option.ts';
import { findLosses, type Loss } from './losses.ts';
import { deployedStages, deployedTemplate, synthesize, type Template } from './templates.ts';

const PROJECT = path.join(import.meta.dirname, '../..');

/** Where the new template comes from, and what is accepted. */
export interface Choices {
  /** If absent, the stage is synthesized. */
  readonly newTemplate?: (stage: Stage) => Template;
  /** Logical ids, or `all`. */
  readonly allowed?: readonly string[];
  /** Whether a stage without a stack is about to be deployed for the first time. */
  readonly isFirst?: boolean;
  /** The folder of the working copy that would be deployed. */
  readonly folder?: string;
}

/** What to print about a stage, and whether it is refused. */
export interface StageComparison {
  readonly lines: readonly string[];
  readonly isRefused: boolean;
}

/**
 * Compares the deployed template of a stage with the new one.
 * @throws UsageError if the stage is not known; PlainError if it belongs to another account than the credentials, or a template
 *   cannot be read
 */
export async function compareStage(
  name: string,
  choices: Choices,
  stages: Stages = STAGES,
): Promise<StageComparison> {
  const stage = stageNamed(name, stages);
  // Another account has no such stack, which would look like a first deployment.
  if (stage.account !== undefined) {
    const { account } = await readCaller(clientSettings(stage)).catch(
      failed(`${stackName(name)} cannot be compared`),
    );
    refuseOtherAccount(stage, account);
  }
  return compare(stage, await deployedTemplate(stage), choices);
}

/**
 * Compares each stage that a deployment with the credentials of the environment could change, as the review of a pull
 * request does: those of the stage file, and the deployed ones without an entry, which would be lost. One line says why
 * another is not compared.
 * @throws PlainError if AWS does not respond or denies a request, or a template cannot be read
 */
export async function* compareAll(
  choices: Choices,
  stages: Stages = STAGES,
): AsyncGenerator<StageComparison> {
  const here = await readCaller(clientSettings({})).catch(failed('The stages cannot be compared'));
  const deployed = await deployedStages();
  for (const name of new Set([...Object.keys(stages), ...deployed])) {
    const say = (line: string, isRefused = false) => ({ lines: [`${stackName(name)}: ${line}`], isRefused });
    const stage = isStage(name, stages) ? findStage(name, stages) : undefined;
    const other = stage && otherPlace(stage, here);
    // Its template is not the one of this working copy, and no deployment from here changes it.
    if (stage && !Object.hasOwn(stages, name))
      yield say(`a developer's own stage is compared only with --stage ${name}.`);
    else if (other && !deployed.includes(name)) yield say(`belongs to ${other}, so it is not compared.`);
    else if (other || !stage)
      yield say(
        `infra/stages.ts has no stage ${name} here any more, so all of it would be lost. ` +
          'If it is intended, delete the stack before its entry; by hand: --allow all',
        !choices.allowed?.includes('all'),
      );
    else yield compare(stage, await deployedTemplate(stage), choices, { isReview: true });
  }
}

/** @param options.isReview whether an accepted line that is no loss of this deployment is refused */
function compare(
  stage: Stage,
  before: Template | undefined,
  { newTemplate = synthesize, isFirst = false, allowed = [], folder = PROJECT }: Choices,
  { isReview = false } = {},
): StageComparison {
  const { name, acceptedLosses = [] } = stage;
  const losses = before ? [...oldCopy(before, folder), ...findLosses(before, newTemplate(stage), stage)] : [];
  const note = readWorkingCopy(folder).isModified ? ', with changes that are not committed' : '';
  const isAccepted = ({ id, line }: Loss) =>
    acceptedLosses.includes(line) || allowed.includes(id) || allowed.includes('all');
  const refused = new Set(losses.filter((each) => !isAccepted(each)).map(({ id }) => id));
  const advice = `If it is intended, add the lines to acceptedLosses of ${name} in infra/stages.ts; by hand: --allow `;
  // After a deployment that made the change its entry is left over, which must not stop the next deployment.
  const leftOver = acceptedLosses.filter((accepted) => !losses.some(({ line }) => line === accepted));
  const warning = `${isReview ? '' : 'Warning: '}Nothing matches this entry in acceptedLosses of ${name}; remove it: `;
  return {
    lines: [
      `${stackName(name)}: ${summary(before, losses, isFirst, note)}`,
      ...losses.map((each) => `  ${each.line}${isAccepted(each) ? ' (accepted)' : ''}`),
      ...(refused.size > 0 ? [advice + [...refused]] : []),
      ...leftOver.map((line) => warning + line),
    ],
    isRefused: (!before && !isFirst) || refused.size > 0 || (isReview && leftOver.length > 0),
  };
}

/** An older working copy would bring back what the deployed commit has repaired. */
function oldCopy({ Resources: { Live } }: Template, folder: string): Loss[] {
  const { commit } = parseAliasDescription(Live?.Properties?.Description as string | undefined);
  if (commit === undefined || containsCommit(folder, commit)) return [];
  const line = `Live: commit ${commit} is deployed, which this working copy does not contain: git fetch first, and merge it.`;
  return [{ id: 'Live', line }];
}

function summary(
  before: Template | undefined,
  losses: readonly Loss[],
  isFirst: boolean,
  note: string,
): string {
  if (losses.length > 0) return `the new template may lose something${note}.`;
  if (before)
    return `nothing would be lost (${Object.keys(before.Resources).length} resources checked${note}).`;
  if (isFirst) return 'no such stack is deployed yet, so there is nothing to lose.';
  // Perhaps the name of the stack has changed, and the one with the data would be left behind.
  return 'no such stack is deployed here. If this is its first deployment, say so: --first';
}
