import { findStage } from '../../infra/find-stage.ts';
import { DEFAULT_STAGE } from '../../infra/stages.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { only, synthWithAsset } from '../../test/infra/synth.ts';
import { type ExecutionEnvironment, startEnvironment } from './execution-environment.ts';
import { lambdaVariables } from './lambda-environment.ts';

const STAGE = findStage(DEFAULT_STAGE);
const OURS = await synthWithAsset({ ...STAGE, plain: false });
const PLAIN = await synthWithAsset({ ...STAGE, plain: true });

/** The synth of stage dev. */
export const SYNTH = OURS.result;

/**
 * Starts an execution environment for the function, by the template and the asset of stage dev.
 * @param endpoint the store; it and the tables' names are the only differences from AWS
 * @param changes further environment variables; one that is undefined is removed
 * @param isPlain whether the stage has the setting `plain`
 */
export function startFunction(
  endpoint: string,
  changes: Record<string, string | undefined> = {},
  isPlain = false,
): Promise<ExecutionEnvironment> {
  const { result, asset } = isPlain ? PLAIN : OURS;
  const { Properties } = only(result, 'AWS::Lambda::Function');
  const template = Object.entries<string | { Ref: string }>(Properties.Environment.Variables);
  const texts = template.filter((each): each is [string, string] => typeof each[1] === 'string');
  return startEnvironment(asset, Properties.Timeout * 1_000, {
    // Lambda has the asset in /var/task.
    ...Object.fromEntries(texts.map(([name, value]) => [name, value.replace('/var/task', asset)])),
    [ENVIRONMENT.plantsTable]: LOCAL_TABLES.plants,
    [ENVIRONMENT.accessTokensTable]: LOCAL_TABLES.accessTokens,
    ...lambdaVariables(Properties.MemorySize),
    LAMBDA_TASK_ROOT: asset,
    _HANDLER: Properties.Handler,
    AWS_LAMBDA_LOG_GROUP_NAME: 'plants',
    AWS_LAMBDA_LOG_STREAM_NAME: '2026/01/01/[7]0123456789abcdef',
    AWS_LAMBDA_LOG_FORMAT: Properties.LoggingConfig.LogFormat,
    AWS_LAMBDA_LOG_LEVEL: Properties.LoggingConfig.ApplicationLogLevel,
    AWS_EXECUTION_ENV: `AWS_Lambda_${Properties.Runtime}`,
    // The only id that the local store accepts.
    AWS_ACCESS_KEY_ID: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ...changes,
  });
}
