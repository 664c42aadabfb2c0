/** `npm run deploy`: deploys a stage, and says which version serves then. */

import { runCommand, UsageError } from '../cli/command-line.ts';
import { findStage } from '../infra/find-stage.ts';
import { DEFAULT_STAGE } from '../infra/stages.ts';
import { CDK_OPTIONS_HELP, readCdkOptions } from '../operate/deploy/cdk-options.ts';
import { checkGuardValues, GUARD_OPTIONS } from '../operate/guard/options.ts';
import { TOKEN_COMMAND } from '../operate/shared/access-token-input.ts';

await runCommand({
  script: 'deploy',
  usage:
    '[--stage NAME] [--first] [--allow IDS] [--app FOLDER] [--commit COMMIT] [--no-canary] [--token-command COMMAND] [-- OPTION...]',
  about: `Deploys a stage: refuses what npm run guard refuses, runs cdk deploy, and makes checks while a canary runs. Its last lines
say which version serves, how many checks failed, and what to do next.`,
  options: {
    stage: { value: 'NAME', about: 'the stage', default: DEFAULT_STAGE },
    ...GUARD_OPTIONS,
    ...TOKEN_COMMAND,
    'no-canary': {
      about: 'move all traffic at once, for a rollback or while an alarm fires; no checks are made',
    },
  },
  notes: `${CDK_OPTIONS_HELP}

The checks are some of npm run verify, about one a second. They create one plant with a reserved id, and none is sent again. Each failure
is printed and, if it had a response, the command that finds its cause in the logs. Throttled checks (42901) are counted apart. No
checks are made of a stage that has no canary or is not deployed yet, but one request without a token is sent at the end. A stage that
issues no access tokens is checked with one of --token-command, which is run again every minute, or of PLANT_STORE_TOKEN; without one,
nothing is checked, and the command says so.

Exit codes: 0 if the stage was deployed, no check failed, not all were throttled, that request did not get 50401, one version is known to
serve, and the access token of the checks was revoked; 1 if not; 2 if the command is invalid. Ctrl-C before the deployment prevents it; later, it stops the CDK; CloudFormation goes on.`,
  operands: true,
  async main(
    { stage: name, 'no-canary': isWithoutCanary, 'token-command': tokenCommand, ...accepted },
    options,
  ) {
    const stage = findStage(name);
    checkGuardValues(accepted);
    if (options[0] && !options[0].startsWith('-'))
      throw new UsageError('Use --stage NAME for the stage; options of the CDK follow a second --.');
    const cdk = readCdkOptions(options);
    if (accepted.app !== undefined && cdk.changesApp)
      throw new UsageError(
        'A finished cdk.out has its alarmEmail and its folder: with --app, neither -c nor --output passes.',
      );
    const { deployStage } = await import('../operate/deploy/deploy-stage.ts');
    const choices = { ...accepted, usesCanary: !isWithoutCanary, tokenCommand, cdk };
    return deployStage(stage, choices);
  },
});
