import { OUTPUTS, stackName } from '../infra/names.ts';
import type { Stage } from '../infra/stage-settings.ts';
import { PlainError } from '../local/plain-error.ts';
import { failed } from './aws.ts';
import { type DeployedStack, describeStack } from './deployed-stack.ts';

/**
 * The stack of a stage, with the credentials of the environment, like the AWS CLI, in the stage's Region or else in
 * that of the environment.
 * @throws PlainError if the stage is not deployed or is in another account, or AWS denies the request
 */
export async function deployedStack(stage: Stage): Promise<DeployedStack> {
  const name = stackName(stage.name);
  const stack = await describeStack(stage).catch(failed(`The stack ${name} cannot be looked up`));
  if (!stack) throw new PlainError(`The stack ${name} does not exist in this account and Region.`);
  if (stack.account !== undefined) refuseOtherAccount(stage, stack.account);
  return stack;
}

/** @throws PlainError if the stage belongs to another account than that of the credentials */
export function refuseOtherAccount({ name, account }: Stage, found: string): void {
  if (account === undefined || account === found) return;
  throw new PlainError(
    `Stage ${name} belongs to account ${account}, but the credentials are for account ${found}.`,
  );
}

/**
 * Finds the table of access tokens of a deployed stage in its stack's outputs.
 * @throws PlainError as {@link deployedStack} does
 */
export async function deployedAccessTokensTable(stage: Stage): Promise<string> {
  return (await deployedStack(stage)).output(OUTPUTS.accessTokensTable);
}
