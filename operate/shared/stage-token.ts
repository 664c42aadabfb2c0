import { UsageError } from '../../cli/command-line.ts';
import { withInterrupt } from '../../cli/interrupt.ts';
import { printError } from '../../cli/print.ts';
import { OUTPUTS } from '../../infra/stack-names.ts';
import { readToken } from './access-token-input.ts';
import { type AccessTokens, withAccessTokens } from './access-tokens.ts';
import { failed } from './aws.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** The name of the tokens, which is in the log. Two runs at the same time can have one each. */
export const STAGE_TOKEN_NAME = 'verify';
/** A token that could not be revoked, for example after `kill -9`, expires after this time. */
const DAYS = 1;

/**
 * Issues an access token of a deployed stage for one piece of work, and revokes it when the work has ended, even if it fails
 * or is interrupted. If it cannot be revoked, that is printed, with the command that does it. For a stage that issues none, it reads one as
 * {@link readToken} does.
 * @param command of the operator, which prints the token of such a stage
 * @param work gets a signal, and must end soon after that is aborted: see {@link withInterrupt}
 * @returns what `work` returns, and whether the token was revoked: if not, the command has not succeeded
 * @throws PlainError if no token can be issued, or a signal came before the work; what `work` throws
 */
export function withStageToken<Result>(
  stack: DeployedStack,
  command: string | undefined,
  work: (baseUrl: string, token: string, interrupted: AbortSignal) => Promise<Result>,
): Promise<{ result: Result; isRevoked: boolean }> {
  const baseUrl = stack.output(OUTPUTS.baseUrl);
  if (!stack.hasOwnTokens)
    return withInterrupt('Interrupted.', async ({ signal }) => {
      const token = await readToken(command);
      signal.throwIfAborted();
      return { result: await work(baseUrl, token, signal), isRevoked: true };
    });
  if (command !== undefined)
    throw new UsageError('--token-command is for a stage that issues no access tokens.');
  const table = stack.accessTokensTable();
  return withInterrupt('Interrupted.', ({ signal }) => {
    const use = async (tokens: AccessTokens) => {
      const { token, issued } = await tokens
        .issue(STAGE_TOKEN_NAME, DAYS)
        .catch(failed('No access token can be issued'));
      let isRevoked = true;
      const revoke = () =>
        tokens.revoke(issued).catch((error) => {
          printError(tokens.mayBeValid(issued, error).message);
          isRevoked = false;
        });
      const start = async () => {
        signal.throwIfAborted();
        return work(baseUrl, token, signal);
      };
      const result = await start().finally(revoke);
      return { result, isRevoked };
    };
    return withAccessTokens(table, stack.settings, use, `--stage ${stack.stage}`);
  });
}
