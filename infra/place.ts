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

/** What is wrong with the topic of a pager for alarms in this place; undefined if nothing is, or it is not known. */
export function topicProblem(topicArn: string, { account, region }: Place): string | undefined {
  const [, , , ofRegion, ofAccount] = topicArn.split(':');
  if (ofRegion && region && ofRegion !== region) return `The topic must be in ${region}`;
  if (ofAccount && account && ofAccount !== account) return `The topic must belong to account ${account}`;
  return undefined;
}
