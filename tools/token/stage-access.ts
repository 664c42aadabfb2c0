import { once } from 'node:events';
import { OUTPUTS } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { failed } from '../stage/aws.ts';
import { type DeployedStack, deployedStack } from '../stage/deployed-stack.ts';
import { shortId, withTokenAdmin } from './access-token-admin.ts';

/** The name of the tokens, which is in the log. Two runs at the same time can have one each. */
export const TOKEN_NAME = 'verify';
/** A token that could not be revoked, for example after `kill -9`, expires after this time. */
const DAYS = 1;

/**
 * Issues an access token of a deployed stage for one piece of work, and revokes it afterwards, even if the work fails
 * or is interrupted (SIGINT, SIGTERM).
 * @throws PlainError if the stage is not deployed, or the token cannot be issued or revoked; what `work` throws
 */
export async function withStageToken<Result>(
  stage: Stage,
  work: (baseUrl: string, token: string, stack: DeployedStack) => Promise<Result>,
): Promise<Result> {
  const stack = await deployedStack(stage);
  const interrupted = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal))).then(() => {
    throw new PlainError('Interrupted.');
  });
  // Handles a signal before or after the race.
  interrupted.catch(() => undefined);
  return withTokenAdmin(stack.output(OUTPUTS.accessTokensTable), stack.settings, async (admin) => {
    const { token, issued } = await admin
      .issue(TOKEN_NAME, DAYS)
      .catch(failed('No access token can be issued'));
    try {
      return await Promise.race([work(stack.output(OUTPUTS.baseUrl), token, stack), interrupted]);
    } finally {
      const id = shortId(issued);
      await admin.revoke(id).catch(failed(`The access token ${id} expires in a day; it cannot be revoked`));
    }
  });
}
