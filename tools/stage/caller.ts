import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { ClientSettings } from './aws.ts';

/** Whose credentials the environment has, and where they are used. */
export interface Caller {
  readonly account: string;
  readonly region: string;
  /** The ARN of the credentials. */
  readonly arn: string;
}

/**
 * Reads the caller's identity, which needs no permission (AWS STS API Reference, GetCallerIdentity).
 * @throws the SDK's error if there are no valid credentials, no Region or no network
 */
export async function readCaller(settings: ClientSettings): Promise<Caller> {
  const client = new STSClient(settings);
  const region = await client.config.region();
  const { Account: account = '', Arn: arn = '' } = await client.send(new GetCallerIdentityCommand());
  return { account, region, arn };
}
