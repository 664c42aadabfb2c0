import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { ok, problem, type Question } from './question.ts';

/** The CDK writes the version of its bootstrap stack here; `hnb659fds` is its default qualifier. */
const BOOTSTRAP_VERSION = '/cdk-bootstrap/hnb659fds/version';
/** The stacks need version 6 and the CDK's lookups version 8 (`requiresBootstrapStackVersion` in cdk.out/manifest.json). */
const LEAST_BOOTSTRAP = 8;

/** Requests per second that Lambda allows for each concurrent execution (Lambda Developer Guide, "Understanding function scaling"). */
const REQUESTS_PER_EXECUTION = 10;
/** Lambda keeps these for functions without a reservation (Lambda Developer Guide, "Configuring reserved concurrency"). */
const LEAST_UNRESERVED = 100;
const REQUEST_QUOTA =
  'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000';

export const bootstrap: Question = async ({ settings, account, region }) => {
  const mend = `npx cdk bootstrap aws://${account}/${region}`;
  try {
    const { Parameter } = await new SSMClient(settings).send(
      new GetParameterCommand({ Name: BOOTSTRAP_VERSION }),
    );
    const version = Number(Parameter?.Value);
    if (version >= LEAST_BOOTSTRAP) return ok(`version ${version}; ${LEAST_BOOTSTRAP} is enough`);
    return problem(`version ${Parameter?.Value}; the CDK needs ${LEAST_BOOTSTRAP} or newer`, mend);
  } catch (error) {
    if (!(error instanceof ParameterNotFound)) throw error;
    return problem('this account and Region have not been bootstrapped', mend);
  }
};

/**
 * Compares the concurrent executions of the account, and those reserved for the function, with the needs of the stage;
 * docs/scaling.md has the arithmetic.
 */
export const concurrency: Question = async ({ settings, stage, stack }) => {
  const lambda = new LambdaClient(settings);
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const limit = AccountLimit?.ConcurrentExecutions;
  if (limit === undefined) throw new Error('Lambda gives no limit');
  const { throttle, concurrency: reserved } = stage;
  const FunctionName = await (await stack)?.physicalId('AWS::Lambda::Function');
  const actual = FunctionName
    ? (await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }))).ReservedConcurrentExecutions
    : reserved;
  const reserve =
    reserved === undefined
      ? `aws lambda delete-function-concurrency --function-name ${FunctionName}`
      : `aws lambda put-function-concurrency --function-name ${FunctionName} --reserved-concurrent-executions ${reserved}`;
  if (actual === 0)
    return problem(
      'the stage is stopped: 0 executions are reserved for the function, so clients get 50401',
      reserve,
    );
  if (reserved !== undefined && limit - reserved < LEAST_UNRESERVED)
    return problem(
      `a quota of ${limit} cannot reserve ${reserved}: ${LEAST_UNRESERVED} have to remain, so the deployment would fail`,
      REQUEST_QUOTA,
    );
  if (actual !== reserved)
    return problem(
      `${actual ?? 'no'} executions are reserved for the function, and ${reserved ?? 'none'} in infra/stages.ts`,
      reserve,
    );
  const perSecond = (reserved ?? limit) * REQUESTS_PER_EXECUTION;
  const says = `${reserved ?? limit} executions allow ${perSecond} requests a second; the stage's throttle is ${throttle.rate}`;
  if (perSecond >= throttle.rate) return ok(says);
  return problem(says, reserved === undefined ? REQUEST_QUOTA : 'raise concurrency of the stage, and deploy');
};

export const gatewayLogs: Question = async ({ settings, stack, account, arn }) => {
  const { cloudwatchRoleArn } = await new APIGatewayClient(settings).send(new GetAccountCommand({}));
  if (cloudwatchRoleArn) return ok(`API Gateway writes logs as ${cloudwatchRoleArn}`);
  const deployedStack = await stack;
  if (!deployedStack) return ok('the account has no role for them; the deployment creates one');
  const role = await deployedStack.physicalId('AWS::IAM::Role', 'ApiCloudWatchRole');
  // The partition of ARNs: `aws`, or another one in China and in GovCloud.
  const [, partition = 'aws'] = arn.split(':');
  return problem(
    'the account has no role for them, so there is no access log',
    `aws apigateway update-account --patch-operations op=replace,path=/cloudwatchRoleArn,value=arn:${partition}:iam::${account}:role/${role}`,
  );
};
