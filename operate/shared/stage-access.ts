import { EXIT } from '../../cli/command-line.ts';
import { withInterrupt } from '../../cli/interrupt.ts';
import { printError } from '../../cli/print.ts';
import { OUTPUTS } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { type AccessTokens, withAccessTokens } from './access-tokens.ts';
import { failed } from './aws.ts';
import { deployedStack } from './deployed-stack.ts';

/** The name of the tokens, which is in the log. Two runs at the same time can have one each. */
export const TOKEN_NAME = 'verify';
/** A token that could not be revoked, for example after `kill -9`, expires after this time. */
const DAYS = 1;

/**
 * Issues an access token of a deployed stage for one piece of work, and revokes it when the work has ended, even if it fails
 * or is interrupted. If it cannot be revoked, that is printed, with the command that does it, and the exit code is 1.
 * @param work gets a signal, and must end soon after that is aborted: see {@link withInterrupt}
 * @throws PlainError if the stage is not deployed, no token can be issued, or the work was interrupted; what `work` throws
 */
export async function withStageToken<Result>(
  stage: Stage,
  work: (baseUrl: string, token: string, interrupted: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stack = await deployedStack(stage);
  const table = stack.output(OUTPUTS.accessTokensTable);
  const baseUrl = stack.output(OUTPUTS.baseUrl);
  const useToken = (signal: AbortSignal) => async (tokens: AccessTokens) => {
    const { token, issued } = await tokens
      .issue(TOKEN_NAME, DAYS)
      .catch(failed('No access token can be issued'));
    try {
      signal.throwIfAborted();
      const result = await work(baseUrl, token, signal);
      signal.throwIfAborted();
      return result;
    } finally {
      await tokens.revoke(issued).catch((error) => {
        printError(tokens.mayBeValid(issued, error).message);
        process.exitCode = EXIT.failed;
      });
    }
  };
  return withInterrupt('Interrupted.', ({ signal }) =>
    withAccessTokens(table, stack.settings, useToken(signal), `--stage ${stage.name}`),
  );
}
