import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import type { LiveFunction } from './live-function.ts';

/** The section of the runbook on `npm run rollback`. */
export const RUNBOOK = 'docs/deploy.md#roll-back-a-deployment';
const INSTEAD = `Revert the faulty commit and deploy: ${RUNBOOK}`;

/**
 * Chooses the version to which a rollback points the alias.
 * @param to the number of the version; if absent, the newest one before those that serve requests that no rollback left
 * @throws PlainError if there is no such version, it serves all requests already, or it would not work
 */
export function chooseTarget(live: LiveFunction, to?: string): FunctionConfiguration {
  const { current, serving, versions } = live;
  const target = to === undefined ? proposal(live) : versions.find(({ Version }) => Version === to);
  if (!target)
    throw new PlainError(
      `There is no ${to ? `version ${to}` : 'earlier version'}, only ${numbers(versions)}. ${INSTEAD}`,
    );
  if (serving.length === 1 && serving[0] === target.Version)
    throw new PlainError(`All requests go to version ${target.Version} already.`);
  for (const version of [target, current]) refuseUnknownTables(version);
  const ofCurrent = surroundings(current);
  const different = surroundings(target).find((each, n) => each !== ofCurrent[n]);
  if (different !== undefined)
    throw new PlainError(
      `Version ${target.Version} uses ${different}, which the current version does not. ${INSTEAD}`,
    );
  return target;
}

/** @throws PlainError if a rollback left every earlier version */
function proposal({ serving, versions, marked }: LiveFunction): FunctionConfiguration | undefined {
  const newest = Math.max(...serving.map(Number));
  const earlier = versions.filter(({ Version }) => Number(Version) < newest);
  const found = earlier.findLast(({ Version = '' }) => !marked.has(Version));
  if (earlier.length === 0 || found) return found;
  throw new PlainError(
    `Rollbacks left every version before ${newest}: ${numbers(earlier)}. To return to one of them nevertheless, name it with --to. ${INSTEAD}`,
  );
}

function numbers(versions: readonly FunctionConfiguration[]): string {
  return versions.map(({ Version }) => Version).join(', ');
}

/** What a version keeps from its deployment: table names and the role, whose permissions are those of today. */
function surroundings({ Environment, Role }: FunctionConfiguration): (string | undefined)[] {
  const { [ENVIRONMENT.plantsTable]: plants, [ENVIRONMENT.accessTokensTable]: tokens } =
    Environment?.Variables ?? {};
  return [plants, tokens, Role];
}

/** @throws PlainError if Lambda could not decrypt the variables: it shows an error instead (API_EnvironmentResponse) */
function refuseUnknownTables(version: FunctionConfiguration): void {
  const [plants, tokens] = surroundings(version);
  if (plants !== undefined && tokens !== undefined) return;
  const { ErrorCode: code = 'no error', Message: message = 'no variables' } =
    version.Environment?.Error ?? {};
  throw new PlainError(
    `Lambda does not show the variables of version ${version.Version}, so its tables are not known (${code}: ${message}). ${INSTEAD}`,
  );
}
