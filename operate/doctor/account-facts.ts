import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GATEWAY_ROLE } from '../../infra/stack-names.ts';
import { gatewayRoleOf, roleName } from '../shared/gateway-role.ts';
import { type Question, required } from './fact.ts';

/** Requests per second that Lambda allows for each concurrent execution (Lambda Developer Guide, "Understanding function scaling"). */
const REQUESTS_PER_EXECUTION = 10;
/** The quota of an account that is not new. */
const USUAL_QUOTA = 1_000;
/** Lambda reserves no more than all but these (Lambda API Reference, PutFunctionConcurrency). */
const NEVER_RESERVED = 100;

/** The Region has one role for the access logs of all gateways (CloudFormation Template Reference, AWS::ApiGateway::Account). */
export const gatewayLogs: Question = async ({ stage, settings, stack, account, arn }) => {
  const reply = await new APIGatewayClient(settings).send(new GetAccountCommand({}));
  // A whole reply has the throttle, whether there is a role or not (API Gateway API Reference, Account).
  const seen = reply.cloudwatchRoleArn ?? (required(reply.throttleSettings, 'throttleSettings') && 'none');
  if (stage.hasGatewayRole)
    return {
      seen,
      expected: "another team's role",
      repair: seen === 'none' && 'ask that team, or remove hasGatewayRole in infra/stages.ts and deploy',
    };
  // That of another stage serves as well, and stays when the stage is deleted.
  const isOurs = gatewayRoleOf(seen) === 'ours';
  const found = await stack;
  if (!found) {
    const agree =
      "the first deployment sets ours in its place, and is refused if this is another team's: docs/first-deployment.md#2-see-what-the-account-lacks";
    const expected = 'none: the first deployment of a stage sets its own';
    return { seen, expected, repair: seen !== 'none' && !isOurs && agree };
  }
  // The partition of ARNs: `aws`, or another one in China and in GovCloud.
  const [, partition] = arn.split(':');
  const name = await found.physicalId('AWS::IAM::Role', GATEWAY_ROLE);
  const expected = `arn:${partition}:iam::${account}:role/${name}`;
  const set = `aws apigateway update-account --patch-operations op=replace,path=/cloudwatchRoleArn,value=${expected}`;
  const see = reply.cloudwatchRoleArn ? ` (aws iam get-role --role-name ${roleName(seen)})` : '';
  const repair = `logs are written only while a role exists${see}; a deployment that sets ours takes it over, as this does: ${set}`;
  return { seen, expected, repair: !isOurs && repair };
};

/** Whether the account allows as many executions as the throttle and the setting need; docs/scaling.md has the arithmetic. */
export const concurrency: Question = async ({ settings, stage: { concurrency: reserved = 0, throttle } }) => {
  const { AccountLimit = {} } = await new LambdaClient(settings).send(new GetAccountSettingsCommand({}));
  const quota = required(AccountLimit.ConcurrentExecutions, 'ConcurrentExecutions');
  const unreserved = required(AccountLimit.UnreservedConcurrentExecutions, 'UnreservedConcurrentExecutions');
  const usable = reserved ? Math.min(reserved, Math.max(quota - NEVER_RESERVED, 0)) : unreserved;
  const forThrottle = Math.ceil(throttle.rate / REQUESTS_PER_EXECUTION);
  const needed = Math.max(forThrottle, reserved);
  const raised = Math.max(USUAL_QUOTA, quota + needed - usable);
  const request = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${raised}`;
  // A quota does not help a setting that is too small.
  const repair =
    usable === reserved ? `set concurrency to ${forThrottle} in infra/stages.ts, and deploy` : request;
  return {
    seen: { usable, quota },
    expected: `${needed} or more usable, for ${throttle.rate} requests a second`,
    repair: usable < needed && repair,
  };
};

/** Executions that are reserved for the function. */
export const reservation: Question = async ({ stage, deployed, settings }) => {
  const FunctionName = await (await deployed).physicalId('AWS::Lambda::Function', 'Function');
  const command = new GetFunctionConcurrencyCommand({ FunctionName });
  // Lambda leaves the number out if none are reserved.
  const { ReservedConcurrentExecutions: seen } = await new LambdaClient(settings).send(command);
  const expected = stage.concurrency;
  const repair =
    expected === undefined
      ? `aws lambda delete-function-concurrency --function-name ${FunctionName}`
      : `aws lambda put-function-concurrency --function-name ${FunctionName} --reserved-concurrent-executions ${expected}`;
  return { seen, expected, repair };
};
