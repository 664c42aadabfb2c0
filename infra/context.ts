import { PlainError } from '../cli/plain-error.ts';
import { checkStage } from './check-stage.ts';
import { allStages, findStage, type Stages } from './find-stage.ts';
import type { Pipeline } from './pipeline-stack.ts';
import { misplaced, otherPlace, type Place } from './place.ts';
import type { Stage } from './stage-settings.ts';
import { DEFAULT_STAGE } from './stages.ts';

/** A repository on GitHub: two names, each with the number that GitHub appends, or both without. */
const REPOSITORY = /^[\w-]+@\d+\/[\w.-]+@\d+$|^[\w-]+\/[\w.-]+$/;

/** An option `-c name=value`, as docs/stage-settings.md shows it: `npm run tables` writes it there. */
export interface Option {
  /** What it may be, in words, or all that it may be; the first choice holds without the option. */
  readonly values: string | readonly [string, ...string[]];
  readonly absent?: string;
  readonly description: string;
}

/** The options of the stages. */
export const STAGE_OPTIONS = {
  stage: {
    values: 'the name of a stage, or `all`',
    absent: `\`${DEFAULT_STAGE}\``,
    description: `What to deploy. \`${DEFAULT_STAGE}-NAME\` is your own stage, with the settings of ${DEFAULT_STAGE}`,
  },
  canary: {
    values: ['on', 'off'],
    description:
      'Whether CodeDeploy moves the traffic. `off`: all at once, for a rollback, or while an alarm is firing',
  },
  alarmEmail: {
    values: 'email address',
    absent: "the stage's own",
    description: 'Replaces `alarmEmail` in this deployment; the next one without it removes the subscription',
  },
} as const satisfies Record<string, Option>;

/** The options of the pipeline's stack. */
export const PIPELINE_OPTIONS = {
  repository: {
    values: '`OWNER@ID/NAME@ID`, or `OWNER/NAME` if neither created nor renamed since 15 July 2026',
    absent: 'the options deploy a stage',
    description: 'Makes the stack of the roles for the workflow in this repository on GitHub',
  },
  oidcProvider: {
    values: ['new', 'existing'],
    description: "Whether the account has a provider for GitHub's tokens already: it can have only one",
  },
} as const satisfies Record<string, Option>;

type Context = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads what to synthesize from the `-c key=value` options of the command line: one stage, or with `stage=all` each
 * stage of the stage file.
 * @param context the context of the app; the CDK's own keys contain a colon
 * @param environment where the CDK puts the account and the Region of the credentials; not compared with `stage=all`,
 *   because the CDK itself refuses to deploy a stack to another account or Region
 * @throws PlainError if an option or a setting is invalid, or the stage belongs to another account or Region
 */
export function readStages(context: Context, environment: Environment = {}, stages?: Stages): Stage[] {
  requireKnownKeys(context, Object.keys(STAGE_OPTIONS));
  const { values } = STAGE_OPTIONS.canary;
  const { stage = DEFAULT_STAGE, canary = values[0], alarmEmail } = context;
  requireOneOf('canary', canary, values);
  const chosen = stage === 'all' ? allStages(stages) : [findHere(String(stage), environment, stages)];
  return chosen.map((each) =>
    checkStage({
      ...each,
      ...(alarmEmail !== undefined && { alarmEmail: String(alarmEmail) }),
    }),
  );
}

/**
 * Reads the options of the pipeline's stack.
 * @param environment the account and the Region whose stages the pipeline deploys
 * @returns undefined without `-c repository=…`: the app then makes stages
 * @throws PlainError if an option is invalid
 */
export function readPipeline(
  context: Context,
  environment: Environment = {},
  stages?: Stages,
): Pipeline | undefined {
  if (context.repository === undefined) return undefined;
  requireKnownKeys(context, Object.keys(PIPELINE_OPTIONS));
  const { values } = PIPELINE_OPTIONS.oidcProvider;
  const { oidcProvider = values[0] } = context;
  const repository = String(context.repository);
  if (!REPOSITORY.test(repository))
    throw new PlainError(
      `repository cannot be ${JSON.stringify(repository)}; it must be OWNER@ID/NAME@ID, or OWNER/NAME for a repository ` +
        'neither created nor renamed since 15 July 2026.',
    );
  requireOneOf('oidcProvider', oidcProvider, values);
  const here = allStages(stages).filter((stage) => otherPlace(stage, placeOf(environment)) === undefined);
  return { repository, stages: here.map(({ name }) => name), hasProvider: oidcProvider === 'existing' };
}

/** Without this check a mistyped `-c stgae=prod` would deploy the default stage. */
function requireKnownKeys(context: Context, keys: readonly string[]): void {
  for (const key of Object.keys(context)) if (!key.includes(':')) requireOneOf('context key', key, keys);
}

function requireOneOf(what: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return;
  throw new PlainError(`Unknown ${what} ${JSON.stringify(value)}; choose one of: ${choices.join(', ')}.`);
}

function findHere(name: string, environment: Environment, stages?: Stages): Stage {
  const stage = findStage(name, stages);
  const here = placeOf(environment);
  const other = otherPlace(stage, here);
  if (other) throw new PlainError(`Stage ${name} belongs to ${other}.`);
  // Also of a stage that is bound to no place.
  const [elsewhere] = here.account ? misplaced(stage, here) : [];
  if (elsewhere) throw new PlainError(`Stage ${name}: ${elsewhere.join(': ')}.`);
  return stage;
}

/** Where the CDK deploys; without credentials it sets no account, and nothing can be deployed. */
function placeOf({ CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region }: Environment): Place {
  return { account, region };
}
