import {
  type AliasConfiguration,
  GetAliasCommand,
  LambdaClient,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { explain, failed, wasRefused } from '../../infra/deployed/aws.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import type { RollbackPlan } from './plan.ts';

/**
 * Points the alias at the target, for all requests. After an error, or a response that does not say so, the alias is read: if
 * a response is lost, the SDK repeats the call, and Lambda refuses the repeated one, because the first one has changed the
 * revision.
 * @throws PlainError if nothing was changed, or if it is not known whether the alias points at the target
 */
export async function pointAlias(plan: RollbackPlan): Promise<void> {
  const { settings, functionName, alias, target } = plan;
  const client = new LambdaClient(settings);
  const command = new UpdateAliasCommand({
    FunctionName: functionName,
    Name: alias.Name,
    FunctionVersion: target.Version,
    // Otherwise, some requests would still go to the version of a stopped canary.
    RoutingConfig: { AdditionalVersionWeights: {} },
    RevisionId: alias.RevisionId,
  });
  try {
    const { FunctionVersion: version } = await client.send(command);
    if (version !== target.Version)
      throw new PlainError(
        `the response names ${version === undefined ? 'no version' : `version ${version}`}`,
      );
  } catch (error) {
    const read = new GetAliasCommand({ FunctionName: functionName, Name: alias.Name });
    const now = await client.send(read).catch((reason: unknown) => explain(reason));
    if (typeof now !== 'string' && versionsOf(now).join() === target.Version) return;
    if (wasRefused(error)) failed('Nothing was changed')(error);
    throw new PlainError(`${unknown(plan, now)}: ${explain(error)}`);
  }
}

/** The versions that get requests: the alias's own, and that of a canary. */
function versionsOf({ FunctionVersion = '', RoutingConfig }: AliasConfiguration): string[] {
  return [FunctionVersion, ...Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {})];
}

/** @param now the alias after the error, or why it cannot be read */
function unknown({ functionName, alias, target }: RollbackPlan, now: AliasConfiguration | string): string {
  const found =
    typeof now === 'string'
      ? `it cannot be read (${now})`
      : `then it was at ${versionsOf(now).join(' and ')}`;
  const look = `aws lambda get-alias --function-name ${functionName} --name ${alias.Name}`;
  return `It is not known whether the alias is at version ${target.Version}; ${found}. Look: ${look}. If it is not, repeat with --to ${target.Version}. The error`;
}
