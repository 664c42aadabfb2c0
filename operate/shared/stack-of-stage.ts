import { findStage } from '../../infra/find-stage.ts';
import { type DeployedStack, deployedStack } from './deployed-stack.ts';

/**
 * Finds the deployed stack of a stage by its name. A command that also works on the local store imports this file only for a stage: to load
 * what it needs takes a tenth of a second.
 * @throws PlainError if there is no such stage, or it is not deployed
 */
export async function stackOfStage(name: string): Promise<DeployedStack> {
  return deployedStack(findStage(name));
}
