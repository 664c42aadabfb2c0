import type { StageSettings } from './stage-settings.ts';

/** An account and a Region: those of a stage that is bound to them, or those of credentials. */
export interface Place {
  readonly account?: string;
  readonly region?: string;
}

/**
 * The other account or Region that a stage belongs to, in words; undefined if it can be deployed here.
 * @param here where the credentials deploy; without an account, nothing can be deployed
 */
export function otherPlace(stage: Place, here: Place): string | undefined {
  if (!here.account) return undefined;
  if (stage.account !== undefined && here.account !== stage.account)
    return `account ${stage.account}, but the credentials are for account ${here.account}`;
  if (stage.region !== undefined && here.region !== stage.region)
    return `Region ${stage.region}, but the Region of the environment is ${here.region}`;
  return undefined;
}

/**
 * The settings that name something elsewhere than the stack, each with what is wrong; those of which that is not known pass. A
 * Regional domain needs a certificate of its own Region (API Gateway Developer Guide, "Migrate a custom domain name").
 */
export function misplaced({
  account,
  region,
  pagerTopicArn,
  keyArn,
  domain,
}: StageSettings): [string, string][] {
  const named = { pagerTopicArn, keyArn, 'domain.certificateArn': domain?.certificateArn };
  return Object.entries(named).flatMap(([setting, arn = '']): [string, string][] => {
    const [, , , ofRegion, ofAccount] = arn.split(':');
    if (ofRegion && region && ofRegion !== region) return [[setting, `It must be in ${region}`]];
    if (ofAccount && account && ofAccount !== account)
      return [[setting, `It must belong to account ${account}`]];
    return [];
  });
}
