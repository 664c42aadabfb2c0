import type { Stage } from '../../infra/stage-settings.ts';
import { isStage, STAGES, type Stages } from '../../infra/stages.ts';
import { clientSettings, failed } from '../stage/aws.ts';
import { type Caller, readCaller } from '../stage/caller.ts';
import { stageNamed } from '../stage/stage-option.ts';
import { type Choices, compareStack, notDeployed, type StageComparison, skipped } from './compare-stage.ts';
import { deployedStages } from './templates.ts';

/**
 * Compares each stage that a deployment with the credentials of the environment could change: those of the stage file,
 * and the deployed ones without an entry, which would be lost. One line says why another is not compared.
 * @throws PlainError if AWS does not answer or denies a request, or a template cannot be read
 */
export async function* compareAll(
  choices: Choices,
  stages: Stages = STAGES,
): AsyncGenerator<StageComparison> {
  const caller = await readCaller(clientSettings({})).catch(failed('The stages cannot be compared'));
  const deployed = await deployedStages();
  for (const name of new Set([...Object.keys(stages), ...deployed]))
    yield await compareOne(name, deployed.includes(name), { caller, choices, stages });
}

async function compareOne(
  name: string,
  isDeployed: boolean,
  { caller, choices, stages }: { caller: Caller; choices: Choices; stages: Stages },
): Promise<StageComparison> {
  // Its template is not the one of this working copy, and no deployment from here changes it.
  if (!Object.hasOwn(stages, name) && isStage(name, stages))
    return skipped(name, `a developer's own stage is compared only with --stage ${name}.`);
  const stage = isStage(name, stages) ? stageNamed(name, stages) : undefined;
  const place = stage && placeElsewhere(stage, caller);
  if (place && !isDeployed) return skipped(name, `belongs to ${place}, so it is not compared here.`);
  const comparison = isDeployed ? await compareStack(name, place ? undefined : stage, choices) : undefined;
  return comparison ?? notDeployed(name);
}

/** The account or the Region of a stage, in words, if they are not those of the caller. */
function placeElsewhere({ account, region }: Stage, caller: Caller): string {
  return [
    ...(account === undefined || account === caller.account ? [] : [`account ${account}`]),
    ...(region === undefined || region === caller.region ? [] : [`Region ${region}`]),
  ].join(' and ');
}
