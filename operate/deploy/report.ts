import type { Counts } from '../../checks/check-until.ts';
import { stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { SERVING } from '../shared/deployed-stack.ts';
import { type Live, sharesInWords } from '../shared/live-versions.ts';
import { NO_RESPONSE, REFUSED } from './first-request.ts';

/** What is known of a deployment when it is over. */
export interface EndedDeployment {
  /** What served before; undefined if nothing did. */
  readonly before: Live | undefined;
  /** Whether `cdk deploy` succeeded. */
  readonly hasSucceeded: boolean;
  /** Of the checks; undefined if none were made. */
  readonly counts: Counts | undefined;
  /** Whether an access token is left that was issued for the checks. */
  readonly isTokenLeft: boolean;
  /** CloudFormation's status of the stack; undefined if it is not known. */
  readonly status: string | undefined;
  /** What serves now, or why that is not known. */
  readonly after: Live | string;
  /** What a request without a token got: the number of its error, or something else in words; undefined if none was sent. */
  readonly answer: number | string | undefined;
}

/**
 * Step 4: the last lines of a deployment. They say how it has ended, whether the function starts, which version serves, and what to do next.
 * @returns also whether the stage was deployed, the function gave a response as far as is known, no check failed, not all were throttled, one version is
 * known to serve, and no token is left
 */
export function reportOn(
  { name: stage, plain }: Pick<Stage, 'name' | 'plain'>,
  deployment: EndedDeployment,
): { lines: string[]; isGood: boolean } {
  const { hasSucceeded, before, status, after, counts, isTokenLeft, answer } = deployment;
  // With a template as before, the CDK succeeds although the stack is UPDATE_FAILED (github.com/aws/aws-cdk-cli, issue 1972).
  const isDeployed = hasSucceeded && SERVING.has(status);
  const isNew = typeof after !== 'string' && before !== undefined && before.version !== after.version;
  const lines: string[] = [];
  if (hasSucceeded && !isDeployed)
    lines.push(`The CDK has succeeded, but the state of the stack is ${status ?? 'not known'}.`);
  const ended = `The deployment has ${isDeployed ? 'succeeded' : 'failed'}.`;
  if (!counts) lines.push(ended);
  else {
    const { held, failures, throttled, overlooked } = counts;
    const all = held + failures + throttled;
    lines.push(`${ended} Checks: ${all}; failures: ${failures}; throttled: ${throttled}.`);
    const seen = Math.floor(100 * (1 - overlooked));
    if (overlooked < 1)
      lines.push(
        `A version that fails one request in ten would have been seen in ${seen} of 100 such canaries.`,
      );
    else if (isNew) lines.push('It is not known whether a check reached the new version during its canary.');
  }
  if (answer !== undefined) lines.push(`A request without a token got ${answer}${inWords(answer, plain)}`);
  if (typeof after === 'string') lines.push(`Which version serves is not known: ${after}`);
  else {
    const earlier = isNew ? `; before: ${before.version}` : before ? ', as before' : '';
    lines.push(`${stackName(stage)} is served by version ${sharesInWords(after).join(' and ')}${earlier}.`);
  }
  lines.push(`Next: ${nextStep(stage, deployment, isDeployed, isNew)}`);
  const areHeld = counts === undefined || (counts.failures === 0 && counts.held > 0);
  const isSilent = answer === NO_RESPONSE;
  return { lines, isGood: isDeployed && !isSilent && areHeld && isSettled(after) && !isTokenLeft };
}

/** What the response to a request without a token says of the function. */
function inWords(answer: number | string, isPlain = false): string {
  if (answer === REFUSED) return ': the function starts.';
  if (answer !== NO_RESPONSE) return ', which does not say whether the function starts.';
  const setting = isPlain
    ? ''
    : ' If its log shows that it does not start, set plain: true of the stage (docs/decisions.md, 10), and deploy it.';
  return `: the function gave no response.${setting}`;
}

function nextStep(
  stage: string,
  { before, after, counts, answer }: EndedDeployment,
  isDeployed: boolean,
  isNew: boolean,
): string {
  if (!isDeployed && !isNew)
    return `npx cdk diagnose --unstable=diagnose -c stage=${stage}, then docs/deploy.md#a-deployment-that-failed-halfway`;
  const hasFailures = answer === NO_RESPONSE || (counts !== undefined && counts.failures > 0);
  if (!isSettled(after)) return `npm run doctor -- --stage ${stage}`;
  if (isNew && (!isDeployed || hasFailures)) return rollBack(stage, before as Live, after);
  if (answer === NO_RESPONSE)
    return `npm run logs -- --stage ${stage} --query reports, then docs/runbook-alarms.md#functionerrors`;
  // The function did not change, so the cause is older or shared.
  if (hasFailures) return `npm run doctor -- --stage ${stage}`;
  return counts && counts.held > 0 ? 'nothing; the checks held.' : `npm run verify -- --stage ${stage}`;
}

/** Whether it is known that one version serves all requests. */
const isSettled = (after: EndedDeployment['after']): after is Live =>
  typeof after !== 'string' && after.shares.size === 1;

/**
 * The bad version serves all requests: the files of the commit that served before are deployed again, as docs/deploy.md says. The commands
 * name the commits instead of main, which a worktree cannot switch to if another one has it, and which may have no upstream; so they are
 * also found in a clone that is shallow, or of another branch. Where there is no remote, git says so and goes on.
 */
function rollBack(stage: string, { version, ofStack, source: good }: Live, { source: bad }: Live): string {
  const guide = 'roll back: docs/deploy.md#roll-back-a-deployment';
  // Where somebody had moved the alias, its description was that of another version. Changes without a commit would be lost.
  const isKnown = good.commit && bad.commit && !good.isModified && !bad.isModified;
  if (!isKnown || !ofStack.includes(version)) return guide;
  return `${guide}, or at once:
  git fetch origin ${bad.commit} ${good.commit}; git switch --detach ${bad.commit} &&
  git restore --source ${good.commit} --staged --worktree . ':!infra/stages.ts' &&
  git commit -m 'Back to ${good.commit?.slice(0, 7)}' && npm ci && npm run deploy -- --stage ${stage} --no-canary
Then bring this commit to main, so that the next deployment keeps the good files.`;
}
