import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { ClientSettings } from './aws.ts';

/** Whose credentials the environment has, and where they are used. */
export type Caller = Awaited<ReturnType<typeof readCaller>>;

/**
 * Reads the caller's identity, which needs no permission (AWS STS API Reference, GetCallerIdentity).
 * @returns the account and the ARN of the credentials, and the Region where they are used
 * @throws the SDK's error if there are no valid credentials, no Region or no network
 */
export async function readCaller(settings: ClientSettings) {
  const client = new STSClient(settings);
  const region = await client.config.region();
  const { Account: account = '', Arn: arn = '' } = await client.send(new GetCallerIdentityCommand());
  return { account, region, arn };
}
