import { runCommand, UsageError } from '../terminal/command-line.ts';
import { readBaseUrl, readToken, TOKEN_NOTES } from './service/access-token-input.ts';

await runCommand(
  {
    usage: `npm run verify -- --url BASE_URL [--write] [--json]
npm run verify -- --stage NAME [--write] [--json]`,
    about: 'Tests a running service, local or deployed, against the contract.',
    options: {
      url: { value: 'BASE_URL', about: 'the address before /plants, with the path of a stage if it has one' },
      stage: {
        value: 'NAME',
        about:
          'find the address of this deployed stage, and issue an access token that is revoked after the run',
      },
      write: {
        about:
          'also create plants in a reserved range of ids, some at the same time, and test the limits of int64',
      },
      json: { about: 'print the results as JSON; use npm run -s, or npm prints its banner before them' },
    },
    notes: `With --url, ${TOKEN_NOTES.replace(/^T/, 't')}

Without --write it creates one plant, the same in every run. The last line is the verdict (with --json, on standard
error). Exit codes: 0 if the service conforms, 1 if it does not or cannot be reached, 2 if the command is invalid.`,
  },
  async ({ url, stage, write, json }) => {
    if (stage !== undefined && url !== undefined)
      throw new UsageError('--url and --stage cannot be used together.');
    if (stage !== undefined) return verifyStage(stage, write, json);
    if (url === undefined)
      throw new UsageError('Say what to verify: --url or --stage; --help shows the options.');
    const [baseUrl, token] = [readBaseUrl(url), await readToken()];
    // Loaded only now, so that help and refused options do not wait for it.
    const { verify } = await import('./verify/run.ts');
    await verify(baseUrl, token, write, json);
  },
);

async function verifyStage(stage: string, write: boolean, json: boolean): Promise<void> {
  const [{ verify }, { stageNamed }, { withStageToken }] = await Promise.all([
    import('./verify/run.ts'),
    import('./stage/stage-option.ts'),
    import('./token/stage-access.ts'),
  ]);
  await withStageToken(stageNamed(stage), (base, token) => verify(readBaseUrl(base), token, write, json));
}
