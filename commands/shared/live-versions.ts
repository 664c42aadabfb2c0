import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ALIAS } from '../../infra/names.ts';
import { parseAliasDescription, type WorkingCopy } from '../../infra/working-copy.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** What serves the requests of a stage. */
export interface Live {
  /** The version that the alias names. */
  readonly version: string;
  /** The share of the requests, from 0 to 1, that each version gets: two of them during a canary. */
  readonly shares: ReadonlyMap<string, number>;
  /** The versions that belong to the stack: during an update two; not the one to which somebody has moved the alias. */
  readonly ofStack: readonly string[];
  /** What the alias says was deployed. The template sets it, so it stays if somebody moves the alias. */
  readonly source: WorkingCopy;
}

/**
 * Asks Lambda which versions serve.
 * @throws PlainError if the stack has no function; the SDK's error if a call fails; Error if the response names no version
 */
export async function readLive(stack: DeployedStack): Promise<Live> {
  const FunctionName = await stack.physicalId('AWS::Lambda::Function');
  const command = new GetAliasCommand({ FunctionName, Name: ALIAS });
  const alias = await new LambdaClient(stack.settings).send(command);
  const { FunctionVersion: version, RoutingConfig, Description } = alias;
  if (version === undefined) throw new Error("AWS's response has no FunctionVersion");
  const others = Object.entries(RoutingConfig?.AdditionalVersionWeights ?? {});
  const rest = others.reduce((left, [, weight]) => left - weight, 1);
  // The physical id is the version's ARN.
  const ofStack = (await stack.resources())
    .filter((each) => each.ResourceType === 'AWS::Lambda::Version')
    .filter(({ ResourceStatus }) => !ResourceStatus?.startsWith('DELETE_'))
    .map(({ PhysicalResourceId = 'unknown' }) => PhysicalResourceId.split(':').at(-1) ?? '');
  const shares = new Map([[version, rest], ...others]);
  return { version, shares, ofStack, source: parseAliasDescription(Description) };
}

/** The versions and their shares, each as `12 (90 %)`. */
export function sharesInWords({ shares }: Live): string[] {
  return [...shares].map(([version, share]) => `${version} (${Number((100 * share).toFixed(2))} %)`);
}
