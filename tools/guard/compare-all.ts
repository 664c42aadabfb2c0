import { stackName } from '../../infra/names.ts';
import { isStage, otherPlace, type Place, STAGES, type Stages } from '../../infra/stages.ts';
import { clientSettings, failed } from '../stage/aws.ts';
import { readCaller } from '../stage/caller.ts';
import { stageNamed } from '../stage/stage-option.ts';
import { type Choices, compareStack, notDeployed, type StageComparison } from './compare-stage.ts';
import { deployedStages } from './templates.ts';

/**
 * Compares each stage that a deployment with the credentials of the environment could change, as the review of a pull
 * request does: those of the stage file, and the deployed ones without an entry, which would be lost. One line says why
 * another is not compared.
 * @throws PlainError if AWS does not answer or denies a request, or a template cannot be read
 */
export async function* compareAll(
  choices: Choices,
  stages: Stages = STAGES,
): AsyncGenerator<StageComparison> {
  const here = await readCaller(clientSettings({})).catch(failed('The stages cannot be compared'));
  const deployed = await deployedStages();
  const isReview = true;
  for (const name of new Set([...Object.keys(stages), ...deployed]))
    yield await compareOne(name, deployed.includes(name), {
      here,
      choices: { ...choices, isReview },
      stages,
    });
}

async function compareOne(
  name: string,
  isDeployed: boolean,
  { here, choices, stages }: { here: Place; choices: Choices; stages: Stages },
): Promise<StageComparison> {
  // Its template is not the one of this working copy, and no deployment from here changes it.
  if (!Object.hasOwn(stages, name) && isStage(name, stages))
    return skipped(name, `a developer's own stage is compared only with --stage ${name}.`);
  const stage = isStage(name, stages) ? stageNamed(name, stages) : undefined;
  const other = stage && otherPlace(stage, here);
  if (other && !isDeployed) return skipped(name, `belongs to ${other}, so it is not compared.`);
  const comparison = isDeployed ? await compareStack(name, other ? undefined : stage, choices) : undefined;
  return comparison ?? notDeployed(name, stage, choices);
}

function skipped(name: string, reason: string): StageComparison {
  return { lines: [`${stackName(name)}: ${reason}`], isRefused: false };
}
