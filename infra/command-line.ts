import { checkStage, type Stage } from './stage-settings.ts';
import { allStages, DEFAULT_STAGE, findStage, type Stages } from './stages.ts';
import { UsageError } from './usage-error.ts';

const KEYS = ['stage', 'canary', 'alarmEmail'];

/**
 * Reads what to synthesise from the `-c key=value` options of the command line: one stage, or with `stage=all` each
 * stage of the stage file.
 * @param context the context of the app; the CDK's own keys contain a colon
 * @param environment where the CDK command line tells the app what the credentials are for; with `stage=all` it is not
 *   compared: the CDK itself refuses to deploy a stack to another account or Region
 * @throws UsageError if an option or a setting is invalid, or the stage belongs to another account or Region
 */
export function readStages(
  context: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>> = {},
  stages?: Stages,
): Stage[] {
  // Without this check a mistyped `-c stgae=prod` would deploy the default stage.
  const unknown = Object.keys(context).find((key) => !key.includes(':') && !KEYS.includes(key));
  if (unknown !== undefined) throw unknownValue('context key', unknown, KEYS);
  const { stage = DEFAULT_STAGE, canary = 'on', alarmEmail } = context;
  if (canary !== 'on' && canary !== 'off') throw unknownValue('canary', canary, ['on', 'off']);

  const chosen =
    stage === 'all' ? allStages(stages) : [hereOnly(findStage(String(stage), stages), environment)];
  return chosen.map(({ canaryMinutes, ...others }) =>
    checkStage({
      ...others,
      ...(canary === 'off' || canaryMinutes === undefined ? {} : { canaryMinutes }),
      ...(alarmEmail === undefined ? {} : { alarmEmail: String(alarmEmail) }),
    }),
  );
}

/**
 * Refuses a stage of another account or Region.
 * @param environment without credentials the CDK sets no account, and nothing can be deployed
 */
function hereOnly(stage: Stage, environment: Readonly<Record<string, string | undefined>>): Stage {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = environment;
  const belongs = `Stage ${stage.name} belongs to`;
  if (account && stage.account !== undefined && account !== stage.account)
    throw new UsageError(
      `${belongs} account ${stage.account}, but the credentials are for account ${account}.`,
    );
  if (account && stage.region !== undefined && region !== stage.region)
    throw new UsageError(
      `${belongs} Region ${stage.region}, but the Region of the environment is ${region}.`,
    );
  return stage;
}

function unknownValue(what: string, value: unknown, choices: readonly string[]): UsageError {
  return new UsageError(`Unknown ${what} ${JSON.stringify(value)}; choose one of: ${choices.join(', ')}.`);
}
