import { OUTPUTS, stackName } from '../infra/names.ts';
import { STAGES, type Stage } from '../infra/stages.ts';
import { PlainError } from '../local/plain-error.ts';
import { failed } from './aws.ts';
import { type DeployedStack, describeStack } from './deployed-stack.ts';

/**
 * The stage of a name.
 * @throws PlainError if there is none
 */
export function knownStage(name: string): Stage {
  const known = Object.values(STAGES).find((stage) => stage.name === name);
  if (known) return known;
  throw new PlainError(`Unknown stage "${name}"; choose one of: ${Object.keys(STAGES).join(', ')}.`);
}

/**
 * The stack of a stage.
 * @throws PlainError if the stage does not exist or is not deployed, or AWS denies the request
 */
export async function deployedStack(stage: string): Promise<DeployedStack> {
  const name = stackName(knownStage(stage).name);
  const stack = await describeStack(name).catch(failed(`The stack ${name} cannot be looked up`));
  if (stack) return stack;
  throw new PlainError(`The stack ${name} does not exist in this account and Region.`);
}

/**
 * Finds the table of access tokens of a deployed stage in its stack's outputs.
 * @throws PlainError if the stage does not exist or is not deployed, or AWS denies the request
 */
export async function deployedAccessTokensTable(stage: string): Promise<string> {
  return (await deployedStack(stage)).output(OUTPUTS.accessTokensTable);
}
