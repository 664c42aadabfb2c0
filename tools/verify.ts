import { readToken, TOKEN_NOTES, TOKEN_OPTION } from './access-token-input.ts';
import { EXIT, runCommand, UsageError } from './command-line.ts';
import { progressBar } from './progress.ts';
import { withStageToken } from './stage-access.ts';
import { stageNamed } from './stage-option.ts';
import { refusedCases, writingCases } from './verify/case-checks.ts';
import { runChecks } from './verify/check.ts';
import { readBaseUrl, requireService } from './verify/first-answer.ts';
import { gatewayChecks } from './verify/gateway-checks.ts';
import { plantChecks, VERIFY_BODY } from './verify/plant-checks.ts';
import { report, summaryOf, verdictOf } from './verify/report.ts';
import { Service } from './verify/service.ts';
import { writeChecks } from './verify/write-checks.ts';

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
          'find the address of this deployed stage, and issue an access token for the run, revoked at its end',
      },
      write: {
        about: 'also create plants in a reserved range of ids, race for ids, test the limits of int64',
      },
      json: { about: 'print the results as JSON; use npm run -s, or npm prints its banner before them' },
      token: TOKEN_OPTION,
    },
    notes: `With --url, ${TOKEN_NOTES.replace(/^T/, 't')}

Without --write it creates one plant, the same in every run. The last line is the verdict (with --json, on standard
error). Exit codes: 0 the service conforms, 1 it does not or cannot be reached, 2 the command is invalid.`,
  },
  async ({ url, stage, write, json }) => {
    const run = async (baseUrl: string, token: string) => {
      const service = new Service(readBaseUrl(baseUrl), token);
      try {
        await verify(service, write, json);
      } finally {
        service.close();
      }
    };
    if (stage === undefined && url === undefined)
      throw new UsageError('Say what to verify: --url or --stage; --help shows the options.');
    if (stage !== undefined && url !== undefined)
      throw new UsageError('--url and --stage cannot be used together.');
    if (stage !== undefined) await withStageToken(stageNamed(stage), run);
    else await run(readBaseUrl(url ?? ''), await readToken());
  },
);

async function verify(service: Service, write: boolean, json: boolean): Promise<void> {
  await requireService(service, VERIFY_BODY);
  const checks = [...plantChecks(), ...refusedCases(), ...gatewayChecks()];
  if (write) checks.push(...writingCases(), ...writeChecks());
  const progress = progressBar(checks.length);
  const results = await runChecks(checks, service, progress);
  progress();
  const summary = summaryOf(results);
  const { baseUrl } = service;
  if (json) console.info(JSON.stringify({ baseUrl, ...summary, results }, null, 2));
  else console.info(`${report(results)}\n`);
  (json ? console.error : console.info)(verdictOf(summary, baseUrl));
  if (summary.didNotHold > 0) process.exitCode = EXIT.failed;
}
