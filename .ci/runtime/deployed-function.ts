import { findStage } from '../../infra/find-stage.ts';
import { DEFAULT_STAGE } from '../../infra/stages.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { only, synthWithAsset } from '../../test/infra/synth.ts';
import { type ExecutionEnvironment, startEnvironment } from './execution-environment.ts';
import { lambdaVariables } from './lambda-environment.ts';

const { result, asset } = await synthWithAsset(findStage(DEFAULT_STAGE));
const FUNCTION = only(result, 'AWS::Lambda::Function').Properties;

/** The synth of stage dev, whose template and asset {@link startFunction} uses. */
export const SYNTH = result;

/**
 * Starts an execution environment for the function.
 * @param endpoint the store; it and the tables' names are the only differences from AWS
 * @param changes further environment variables; one that is undefined is removed
 */
export function startFunction(
  endpoint: string,
  changes: Record<string, string | undefined> = {},
): Promise<ExecutionEnvironment> {
  const template = Object.entries<string | { Ref: string }>(FUNCTION.Environment.Variables);
  const texts = template.filter((each): each is [string, string] => typeof each[1] === 'string');
  return startEnvironment(asset, FUNCTION.Timeout * 1_000, {
    // Lambda has the asset in /var/task.
    ...Object.fromEntries(texts.map(([name, value]) => [name, value.replace('/var/task', asset)])),
    [ENVIRONMENT.plantsTable]: LOCAL_TABLES.plants,
    [ENVIRONMENT.accessTokensTable]: LOCAL_TABLES.accessTokens,
    ...lambdaVariables(FUNCTION.MemorySize),
    LAMBDA_TASK_ROOT: asset,
    _HANDLER: FUNCTION.Handler,
    AWS_LAMBDA_LOG_GROUP_NAME: 'plants',
    AWS_LAMBDA_LOG_STREAM_NAME: '2026/01/01/[7]0123456789abcdef',
    AWS_LAMBDA_LOG_FORMAT: FUNCTION.LoggingConfig.LogFormat,
    AWS_LAMBDA_LOG_LEVEL: FUNCTION.LoggingConfig.ApplicationLogLevel,
    AWS_EXECUTION_ENV: `AWS_Lambda_${FUNCTION.Runtime}`,
    // The only id that the local store accepts.
    AWS_ACCESS_KEY_ID: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ...changes,
  });
}
