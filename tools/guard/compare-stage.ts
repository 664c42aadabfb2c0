import path from 'node:path';
import { clientSettings, failed } from '../../infra/deployed/aws.ts';
import { readCaller } from '../../infra/deployed/caller.ts';
import { refuseOtherAccount } from '../../infra/deployed/deployed-stack.ts';
import { stageNamed } from '../../infra/deployed/stage-option.ts';
import { stackName } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { isStage, otherPlace, STAGES, type Stages } from '../../infra/stages.ts';
import { type Choices, judge, type StageComparison, withoutEntry } from './judge.ts';
import { findLosses } from './losses.ts';
import {
  deployedStages,
  deployedTemplate,
  readTemplate,
  synthesise,
  type Template,
  templateName,
} from './templates.ts';

/**
 * Compares the deployed template of a stage with the new one.
 * @throws UsageError if the stage is neither deployed nor known; PlainError if it belongs to another account than the
 *   credentials, or a template cannot be read
 */
export async function compareStage(
  name: string,
  choices: Choices,
  stages: Stages = STAGES,
): Promise<StageComparison> {
  const stage = isStage(name, stages) ? stageNamed(name, stages) : undefined;
  // Another account has no such stack, which would look like a first deployment.
  const { template } = choices;
  if (stage?.account !== undefined && template === undefined) {
    const { account } = await readCaller(clientSettings(stage)).catch(
      failed(`${stackName(name)} cannot be compared`),
    );
    refuseOtherAccount(stage, account);
  }
  const stack = stackName(name);
  const before = template === undefined ? await deployedTemplate(stack, stage) : readTemplate(template);
  if (before === undefined) stageNamed(name, stages);
  return compare(name, stage, before, choices);
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
  const skip = (name: string, reason: string) => ({
    lines: [`${stackName(name)}: ${reason}`],
    isRefused: false,
  });
  for (const name of new Set([...Object.keys(stages), ...deployed])) {
    const stage = isStage(name, stages) ? stageNamed(name, stages) : undefined;
    const other = stage && otherPlace(stage, here);
    // Its template is not the one of this working copy, and no deployment from here changes it.
    if (stage && !Object.hasOwn(stages, name))
      yield skip(name, `a developer's own stage is compared only with --stage ${name}.`);
    else if (other && !deployed.includes(name))
      yield skip(name, `belongs to ${other}, so it is not compared.`);
    else {
      // Without an entry, nothing will be deployed there any more.
      const expected = other ? undefined : stage;
      const before = await deployedTemplate(stackName(name), expected);
      yield compare(name, expected, before, { ...choices, isReview: true });
    }
  }
}

const NEW = 'no such stack is deployed yet, so there is nothing to lose.';
/** Perhaps the name of the stack has changed, and the one with the data would be left behind. */
const MISSING = 'no such stack is deployed here. If this is its first deployment, say so: --first';

async function compare(
  name: string,
  stage: Stage | undefined,
  before: Template | undefined,
  choices: Choices,
): Promise<StageComparison> {
  const { app, isFirst = false } = choices;
  if (stage === undefined) return withoutEntry(name, before, choices);
  if (before === undefined) return judge(stage, isFirst ? NEW : MISSING, [], choices, !isFirst);
  const after = app === undefined ? await synthesise(name) : readTemplate(path.join(app, templateName(name)));
  const losses = findLosses(before, after, stage);
  const { length } = Object.keys(before.Resources);
  const nothing = `nothing would be lost (${length} resources checked).`;
  return judge(
    stage,
    losses.length === 0 ? nothing : 'the new template may lose something.',
    losses,
    choices,
  );
}
