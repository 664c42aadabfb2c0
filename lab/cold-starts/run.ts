/** `npm run lab -- cold-starts`: measures cold starts of a deployed stage, with and without the start script. */
import { writeFileSync } from 'node:fs';
import { stageNamed } from '../../infra/deployed/stage-option.ts';
import { EXIT, runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { print, printError } from '../../terminal/print.ts';
import { progressBar } from '../../terminal/progress.ts';

await runCommand(
  {
    usage: 'npm run lab -- cold-starts --stage NAME [--count N] [--json FILE] [--on-protected]',
    about: 'Measures cold starts of a deployed stage, with and without the start script.',
    options: {
      stage: { value: 'NAME', about: 'the stage' },
      count: { value: 'N', about: 'cold starts of each kind, about 5 seconds each', default: '100' },
      json: { value: 'FILE', about: 'write every measurement to this file' },
      'on-protected': { about: 'allow a protected stage' },
    },
    notes: `Changes an environment variable and the log level of the function's $LATEST before each request, so that Lambda
starts a new process, and restores them at the end, also after Ctrl-C. Requests of clients go to a published version, which
stays as it is. Do not deploy the stage meanwhile. Each request stores a plant, in the range of ids that is reserved for
verification. An access token is issued for the run. Uses the credentials and the Region of the AWS CLI.

Exit codes: 0 if every request was a cold start, 1 if not, or if anything failed, 2 if the command is invalid.`,
  },
  async ({ stage: name, count: text, json, 'on-protected': onProtected }) => {
    const stage = stageNamed(name);
    const count = wholeNumber('count', text, 1, 1_000);
    if (stage.isProtected && !onProtected)
      throw new PlainError(
        `Stage ${stage.name} is protected, and ${2 * count} plants would be stored; --on-protected allows it.`,
      );
    const [{ measure }, { LatestVersion }, { report }] = await Promise.all([
      import('./measure.ts'),
      import('./latest-version.ts'),
      import('./report.ts'),
    ]);
    const latest = await LatestVersion.of(stage);
    const show = progressBar(count);
    const samples = await measure(stage, latest, count, show).finally(() => show());
    printError(`The configuration of ${latest.functionName} is as before.`);
    const facts = { taken: new Date().toISOString(), ...latest.facts };
    print(report(facts, samples));
    if (json !== undefined) writeFileSync(json, `${JSON.stringify({ ...facts, samples }, null, 1)}\n`);
    if (samples.some(({ initMs }) => initMs === undefined)) process.exitCode = EXIT.failed;
  },
);
