import {
  type AliasConfiguration,
  type FunctionConfiguration,
  GetAliasCommand,
  LambdaClient,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { formatAliasDescription, parseAliasDescription } from '../../infra/alias-description.ts';
import { explain, failed, wasRefused } from '../../operate/deployed/aws.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type LiveFunction, servingOf } from './live-function.ts';

/**
 * Points the alias at the target, for all requests. After an error, or a response that does not say so, the alias is read: if
 * a response is lost, the SDK repeats the call, and Lambda refuses the repeated one, because the first one has changed the
 * revision.
 * @throws PlainError if nothing was changed, or if it is not known whether the alias points at the target
 */
export async function pointAlias(live: LiveFunction, target: FunctionConfiguration): Promise<void> {
  const { stack, functionName, alias } = live;
  const client = new LambdaClient(stack.settings);
  const command = new UpdateAliasCommand({
    FunctionName: functionName,
    Name: alias.Name,
    FunctionVersion: target.Version,
    Description: descriptionAt(String(target.Version), alias),
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
    const now = await client.send(read).then(servingOf, explain);
    if (String(now) === target.Version) return;
    if (wasRefused(error)) failed('Nothing was changed')(error);
    const found =
      typeof now === 'string' ? `it cannot be read (${now})` : `then it was at ${now.join(' and ')}`;
    const look = `aws lambda get-alias --function-name ${functionName} --name ${alias.Name}`;
    throw new PlainError(
      `It is not known whether the alias is at version ${target.Version}; ${found}. Look: ${look}. If it is not, repeat with --to ${target.Version}. The error: ${explain(error)}`,
    );
  }
}

/**
 * What the description says when the alias is at a version. It keeps the first version that was left, which is that of the template
 * and of the commit; at this version again, it is as the deployment wrote it.
 */
function descriptionAt(
  version: string,
  { Description, FunctionVersion: current }: AliasConfiguration,
): string {
  const deployed = parseAliasDescription(Description);
  const left = Number(current) > Number(version) ? current : undefined;
  const from = deployed.rolledBackFrom ?? left;
  return formatAliasDescription({ ...deployed, rolledBackFrom: from === version ? undefined : from });
}
