import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { deployed, given, ifError, type Question } from './fact.ts';

/** The CDK writes the version of its bootstrap stack here; `hnb659fds` is its default qualifier. */
const BOOTSTRAP_VERSION = '/cdk-bootstrap/hnb659fds/version';
/** The stacks need version 6 and the CDK's lookups version 8 (`requiresBootstrapStackVersion` in cdk.out/manifest.json). */
const LEAST_BOOTSTRAP = 8;
/** Requests per second that Lambda allows for each concurrent execution (Lambda Developer Guide, "Understanding function scaling"). */
const REQUESTS_PER_EXECUTION = 10;
/** The quota of an account that is not new. */
const USUAL_QUOTA = 1_000;

export const bootstrap: Question = async ({ settings, account, region }) => {
  const version = await new SSMClient(settings)
    .send(new GetParameterCommand({ Name: BOOTSTRAP_VERSION }))
    .then(({ Parameter }) => given(Parameter?.Value, 'Parameter'), ifError(ParameterNotFound, 'none'));
  const mend = `npx cdk bootstrap aws://${account}/${region}`;
  const isOld = !(Number(version) >= LEAST_BOOTSTRAP);
  return [`version ${version}`, `version ${LEAST_BOOTSTRAP} or newer`, mend, isOld];
};

/** The Region has one role for the access logs of all gateways (CloudFormation Template Reference, AWS::ApiGateway::Account). */
export const gatewayLogs: Question = async ({ settings, stack, account, arn }) => {
  const reply = await new APIGatewayClient(settings).send(new GetAccountCommand({}));
  // A whole reply has the throttle, whether there is a role or not (API Gateway API Reference, Account).
  const seen = reply.cloudwatchRoleArn ?? (given(reply.throttleSettings, 'throttleSettings') && 'none');
  const found = await stack;
  if (!found) {
    const mend = 'the next deployment takes it over from whose role this is, so agree with them first';
    return [seen, 'none: the first deployment of a stage sets its own', mend, seen !== 'none'];
  }
  // The partition of ARNs: `aws`, or another one in China and in GovCloud.
  const [, partition = 'aws'] = arn.split(':');
  const name = await found.physicalId('AWS::IAM::Role', 'ApiCloudWatchRole');
  const own = `arn:${partition}:iam::${account}:role/${name}`;
  const set = `aws apigateway update-account --patch-operations op=replace,path=/cloudwatchRoleArn,value=${own}`;
  const mend = `logs are written only while a role exists (aws iam get-role); a deployment that sets ours takes it over, as this does: ${set}`;
  return [seen, own, mend];
};

/** Whether the account allows as many executions as the throttle needs; docs/scaling.md has the arithmetic. */
export const concurrency: Question = async ({ settings, stage: { concurrency, throttle } }) => {
  const { AccountLimit = {} } = await new LambdaClient(settings).send(new GetAccountSettingsCommand({}));
  const quota = given(AccountLimit.ConcurrentExecutions, 'ConcurrentExecutions');
  const unreserved = given(AccountLimit.UnreservedConcurrentExecutions, 'UnreservedConcurrentExecutions');
  const usable = concurrency ?? unreserved;
  const needed = Math.ceil(throttle.rate / REQUESTS_PER_EXECUTION);
  const seen = `${usable} executions ${concurrency === undefined ? 'unreserved' : 'in infra/stages.ts'}, of ${quota}`;
  const raised = Math.max(USUAL_QUOTA, quota + needed - usable);
  const mend = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${raised}`;
  return [seen, `${needed} or more, for ${throttle.rate} requests a second`, mend, usable < needed];
};

/** Executions that are reserved for the function. */
export const reservation: Question = async (subject) => {
  const FunctionName = await (await deployed(subject)).physicalId('AWS::Lambda::Function');
  const command = new GetFunctionConcurrencyCommand({ FunctionName });
  // Lambda leaves the number out if none are reserved.
  const { ReservedConcurrentExecutions: actual } = await new LambdaClient(subject.settings).send(command);
  const { concurrency: wanted } = subject.stage;
  const mend =
    wanted === undefined
      ? `aws lambda delete-function-concurrency --function-name ${FunctionName}`
      : `aws lambda put-function-concurrency --function-name ${FunctionName} --reserved-concurrent-executions ${wanted}`;
  return [`${actual ?? 'no'} executions`, `${wanted ?? 'no'} executions`, mend];
};
