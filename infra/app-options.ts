import { PlainError } from '../cli/plain-error.ts';
import { checkStage } from './check-stage.ts';
import { allStages, findStage, type Stages } from './find-stage.ts';
import type { Pipeline } from './pipeline-stack.ts';
import type { Stage } from './stage-settings.ts';
import { DEFAULT_STAGE } from './stages.ts';
import { isCommit } from './working-copy.ts';

/** A repository on GitHub: two names, each with the number that GitHub appends, or both without. */
const REPOSITORY = /^[\w-]+@\d+\/[\w.-]+@\d+$|^[\w-]+\/[\w.-]+$/;

/** A called workflow at a branch or a tag, as GitHub's tokens name it. */
const WORKFLOW = /^[\w-]+\/[\w.-]+\/\.github\/workflows\/[\w.-]+\.ya?ml@refs\/(heads|tags)\/[\w./-]+$/;

/** What the options `canary` and `oidcProvider` may be; the first holds without the option. docs/stage-settings.md explains all. */
const CANARY = ['on', 'off'];
const OIDC_PROVIDER = ['new', 'existing'];

/** The options `-c` of the stages, and of the pipeline's stack. docs/stage-settings.md explains them. */
export const STAGE_OPTIONS = ['stage', 'canary', 'alarmEmail', 'commit'];
export const PIPELINE_OPTIONS = ['repository', 'oidcProvider', 'workflow'];

type Context = Readonly<Record<string, unknown>>;

/**
 * Reads what to synthesize from the `-c key=value` options of the command line: one stage, or with `stage=all` each
 * stage of the stage file. The CDK itself refuses to deploy a stage to another account than its own.
 * @param context the context of the app; the CDK's own keys contain a colon
 * @throws PlainError if an option or a setting is invalid
 */
export function readStages(context: Context, stages?: Stages): Stage[] {
  requireKnownKeys(context, STAGE_OPTIONS);
  const { stage = DEFAULT_STAGE, canary = CANARY[0], alarmEmail, commit } = context;
  requireOneOf('canary', canary, CANARY);
  if (commit !== undefined && !isCommit(String(commit)))
    throw new PlainError(`commit cannot be ${JSON.stringify(commit)}; it must be 40 hexadecimal digits.`);
  const chosen = stage === 'all' ? allStages(stages) : [findStage(String(stage), stages)];
  return chosen.map((each) =>
    checkStage({
      ...each,
      ...(alarmEmail !== undefined && { alarmEmail: String(alarmEmail) }),
    }),
  );
}

/**
 * Reads the options of the pipeline's stack.
 * @param environment where the CDK puts the account and the Region of the credentials, if there are any: the pipeline deploys their stages
 * @returns undefined without `-c repository=…`: the app then makes stages
 * @throws PlainError if an option is invalid
 */
export function readPipeline(
  context: Context,
  { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region }: NodeJS.ProcessEnv = {},
  stages?: Stages,
): Pipeline | undefined {
  if (context.repository === undefined) return undefined;
  requireKnownKeys(context, PIPELINE_OPTIONS);
  const { oidcProvider = OIDC_PROVIDER[0] } = context;
  const repository = String(context.repository);
  if (!REPOSITORY.test(repository))
    throw new PlainError(
      `repository cannot be ${JSON.stringify(repository)}; it must be OWNER@ID/NAME@ID, or OWNER/NAME for a repository ` +
        'neither created nor renamed since 15 July 2026.',
    );
  const workflow = context.workflow === undefined ? undefined : String(context.workflow);
  if (workflow !== undefined && !WORKFLOW.test(workflow))
    throw new PlainError(
      `workflow cannot be ${JSON.stringify(workflow)}; it must be OWNER/NAME/.github/workflows/FILE.yml@refs/heads/BRANCH.`,
    );
  requireOneOf('oidcProvider', oidcProvider, OIDC_PROVIDER);
  const here = allStages(stages).filter(
    (stage) => !account || ((stage.account ?? account) === account && (stage.region ?? region) === region),
  );
  return {
    repository,
    ...(workflow !== undefined && { workflow }),
    stages: here.map(({ name }) => name),
    hasProvider: oidcProvider === 'existing',
  };
}

/** The context key in which `cdk acknowledge` keeps the notices that nobody wants to see again. */
const ACKNOWLEDGED = 'acknowledged-issue-numbers';

/** Without this check a mistyped `-c stgae=prod` would deploy the default stage. */
function requireKnownKeys(context: Context, keys: readonly string[]): void {
  const own = Object.keys(context).filter((key) => !key.includes(':') && key !== ACKNOWLEDGED);
  for (const key of own) requireOneOf('context key', key, keys);
}

function requireOneOf(what: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return;
  throw new PlainError(`Unknown ${what} ${JSON.stringify(value)}; choose one of: ${choices.join(', ')}.`);
}
