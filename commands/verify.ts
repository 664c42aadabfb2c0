import { runCommand, UsageError } from '../cli/command-line.ts';
import { isLoopback } from '../lambda/loopback.ts';
import { readToken, TOKEN_COMMAND, TOKEN_NOTES } from '../operate/shared/access-token-input.ts';
import { readBaseUrl } from './shared/base-url.ts';

await runCommand({
  script: 'verify',
  usage:
    '--url BASE_URL [--token-command COMMAND] [--write] [--json]\n--stage NAME [--token-command COMMAND] [--write] [--json]',
  about: 'Tests a running service, local or deployed, against the contract.',
  apart: [['url', 'stage']],
  options: {
    url: { value: 'BASE_URL', about: 'the address before /plants, with the path of a stage if it has one' },
    stage: {
      value: 'NAME',
      about:
        'find the address of this deployed stage, and issue an access token that is revoked after the run',
    },
    ...TOKEN_COMMAND,
    write: {
      about:
        'also create several hundred plants, some at the same time, in a reserved range of ids; where the stage is not protected, with other ids too',
    },
    json: { about: 'print the results as JSON; use npm run -s, or npm prints its banner before them' },
  },
  notes: `${TOKEN_NOTES}
It is needed only with --url, or for a stage that issues no tokens itself.

Without --write it creates one plant, the same in every run. With --url, the stage counts as protected unless the address is
this machine's own: ids outside the reserved range are then not used. The last line is the verdict, with what was not tried and
the number of retries (with --json, on standard error). Exit codes: 0 if the service conforms, 1 if it does not or cannot be reached, 2 if the
command is invalid.`,
  async main({ url, stage, write, json, 'token-command': command }) {
    // Loaded only now, so that help and refused options do not wait for it.
    const { verify } = await import('./verify/verify-service.ts');
    if (url !== undefined) {
      const baseUrl = readBaseUrl(url);
      // Any other address may be that of a protected stage.
      const everyId = isLoopback(new URL(baseUrl).hostname);
      return verify(baseUrl, await readToken(command), { write, everyId }, json);
    }
    if (stage === undefined)
      throw new UsageError('Say what to verify: --url or --stage; --help shows the options.');
    const { findStage } = await import('../infra/find-stage.ts');
    const { deployedStack } = await import('../operate/shared/deployed-stack.ts');
    const { withStageToken } = await import('../operate/shared/stage-token.ts');
    const found = findStage(stage);
    const may = { write, everyId: !found.isProtected, origins: found.allowedOrigins ?? [] };
    const { result: conforms, isRevoked } = await withStageToken(
      await deployedStack(found),
      command,
      (base, token, stop) => verify(readBaseUrl(base), token, may, json, stop),
    );
    return conforms && isRevoked;
  },
});
