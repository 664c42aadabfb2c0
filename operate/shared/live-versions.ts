import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ALIAS } from '../../infra/stack-names.ts';
import { parseAliasDescription } from '../../infra/working-copy.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** What serves the requests of a stage. */
export type Live = Awaited<ReturnType<typeof readLive>>;

/**
 * Asks Lambda which versions serve.
 * @throws PlainError if the stack has no function; the SDK's error if a call fails; Error if the response names no version
 */
export async function readLive(stack: DeployedStack) {
  const functionName = await stack.physicalId('AWS::Lambda::Function', 'Function');
  const command = new GetAliasCommand({ FunctionName: functionName, Name: ALIAS });
  const alias = await new LambdaClient(stack.settings).send(command);
  const { FunctionVersion: version, RoutingConfig, Description } = alias;
  if (version === undefined) throw new Error("AWS's response has no FunctionVersion");
  const others = Object.entries(RoutingConfig?.AdditionalVersionWeights ?? {});
  const rest = others.reduce((left, [, weight]) => left - weight, 1);
  // The versions that belong to the stack, by their ARNs: during an update two; not the one to which somebody has moved the alias. A service
  // of one's own may have a second function.
  const ofStack = (await stack.resources('AWS::Lambda::Version'))
    .filter(({ ResourceStatus }) => !ResourceStatus?.startsWith('DELETE_'))
    .map(({ PhysicalResourceId = 'unknown' }) => PhysicalResourceId.split(':'))
    .flatMap((arn) => (arn.at(-2) === functionName ? (arn.at(-1) ?? '') : []));
  return {
    functionName,
    /** The version that the alias names. */
    version,
    /** The share of the requests, from 0 to 1, that each version gets: two of them during a canary. */
    shares: new Map([[version, rest], ...others]),
    ofStack,
    /** What the alias says was deployed. The template sets it, so it stays if somebody moves the alias. */
    source: parseAliasDescription(Description),
  };
}

/** The versions and their shares, each as `12 (90 %)`. */
export function sharesInWords({ shares }: Live): string[] {
  return [...shares].map(([version, share]) => `${version} (${Number((100 * share).toFixed(2))} %)`);
}
