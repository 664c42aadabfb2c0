import { stackName } from '../../infra/names.ts';
import { type Live, sharesInWords } from '../shared/live-versions.ts';
import type { Counts } from './check-until.ts';

/** How a deployment has ended. */
export interface Outcome {
  /** Whether `cdk deploy` succeeded. */
  readonly isDeployed: boolean;
  /** What served before; undefined if nothing did. */
  readonly before: Live | undefined;
  /** What serves now, or why that is not known. */
  readonly after: Live | string;
  /** Of the checks; undefined if none were made. */
  readonly counts: Counts | undefined;
}

/**
 * The last lines of a deployment: how it has ended, which version serves, and what to do next.
 * @param stage its name
 * @returns also whether the stage was deployed, no check failed, and what serves is known
 */
export function reportOn(stage: string, outcome: Outcome): { lines: string[]; isGood: boolean } {
  const { isDeployed, counts } = outcome;
  const [isGood, next] = verdictOn(stage, outcome);
  const lines = [
    `The deployment has ${isDeployed ? 'succeeded' : 'failed'}.${counts ? ` ${countsInWords(counts)}` : ''}`,
    ...(counts ? chanceInWords(counts) : []),
    servingInWords(stage, outcome),
    `Next: ${next}`,
  ];
  return { lines, isGood };
}

function countsInWords({ held, failures, throttled }: Counts): string {
  return `Checks: ${held + failures + throttled}; failures: ${failures}; throttled: ${throttled}.`;
}

function chanceInWords({ overlooked }: Counts): string[] {
  const seen = Math.floor(100 * (1 - overlooked));
  return overlooked < 1
    ? [`A version that fails one request in ten would have been seen in ${seen} of 100 such canaries.`]
    : [];
}

function servingInWords(stage: string, { before, after }: Outcome): string {
  if (typeof after === 'string') return `Which version serves is not known: ${after}`;
  const earlier = before?.version === after.version ? ', as before' : before && `; before: ${before.version}`;
  return `${stackName(stage)} is served by version ${sharesInWords(after).join(' and ')}${earlier ?? ''}.`;
}

function verdictOn(
  stage: string,
  { isDeployed, before, after, counts }: Outcome,
): readonly [isGood: boolean, next: string] {
  const doctor = `npm run doctor -- --stage ${stage}`;
  const verify = `npm run verify -- --stage ${stage}`;
  const isKnown = typeof after !== 'string';
  const hasChanged = isKnown && before !== undefined && before.version !== after.version;
  if (!isDeployed && !hasChanged)
    return [
      false,
      `npx cdk diagnose --unstable=diagnose -c stage=${stage}, then docs/deploy.md#a-deployment-that-failed-halfway`,
    ];
  if (!isKnown || after.shares.size > 1) return [false, `${doctor}; its line live shows what serves`];
  if (!isDeployed || (counts && counts.failures > 0))
    return [
      false,
      hasChanged
        ? rollBack(stage, before)
        : `${doctor}; the function did not change, so the cause is older or shared`,
    ];
  if (!counts) return [true, verify];
  if (counts.held === 0)
    return [false, `${verify}; all checks were throttled, so nothing is known of the version`];
  return [true, 'nothing; the checks held.'];
}

/** The bad version serves all requests: the commit that served before is deployed again, as docs/deploy.md says. */
function rollBack(stage: string, { version, ofStack, source: { commit, isModified } }: Live): string {
  const guide = 'roll back: docs/deploy.md#roll-back-a-deployment';
  // Where somebody had moved the alias, its description was that of another version.
  if (commit === undefined || isModified || !ofStack.includes(version)) return guide;
  return `${guide}, or at once:
  git switch main && git pull && git restore --source ${commit} --staged --worktree . ':!infra/stages.ts' &&
  git commit -m 'Back to ${commit.slice(0, 7)}' && npm ci && npm run deploy -- --stage ${stage} --no-canary`;
}
