import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { given, ok, problem, type Question } from './question.ts';

/** Requests per second that Lambda allows for each concurrent execution (Lambda Developer Guide, "Understanding function scaling"). */
const REQUESTS_PER_EXECUTION = 10;
/** Lambda keeps these for functions without a reservation (Lambda Developer Guide, "Configuring reserved concurrency"). */
const LEAST_UNRESERVED = 100;
/** The quota of an account that is not new. */
const USUAL_QUOTA = 1_000;

/**
 * Compares the concurrent executions of the account, less those that other functions reserve, and those reserved for the
 * function, with the needs of the stage; docs/scaling.md has the arithmetic.
 */
export const concurrency: Question = async ({ settings, stage, stack }) => {
  const lambda = new LambdaClient(settings);
  const { AccountLimit = {} } = await lambda.send(new GetAccountSettingsCommand({}));
  const quota = given(AccountLimit.ConcurrentExecutions, 'ConcurrentExecutions');
  const unreserved = given(AccountLimit.UnreservedConcurrentExecutions, 'UnreservedConcurrentExecutions');
  const { throttle, concurrency: reserved } = stage;
  const FunctionName = await (await stack)?.physicalId('AWS::Lambda::Function');
  // Lambda leaves the number out if none are reserved.
  const actual = FunctionName
    ? (await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }))).ReservedConcurrentExecutions
    : undefined;
  const reserve = reserveCommand(FunctionName, reserved);
  const inUse = `${actual ?? 'no'} executions are reserved for the function`;
  if (actual === 0) return problem(`the stage is stopped: ${inUse}, so clients get 50401`, reserve);
  /** What other functions do not reserve. */
  const free = unreserved + (actual ?? 0);
  if (reserved !== undefined && free - reserved < LEAST_UNRESERVED)
    return problem(
      `${free} executions, which other functions do not reserve, cannot reserve ${reserved}: ${LEAST_UNRESERVED} have to remain, so the deployment would fail`,
      raiseQuota(quota + reserved + LEAST_UNRESERVED - free),
    );
  if (FunctionName && actual !== reserved)
    return problem(`${inUse}, and ${reserved ?? 'none'} in infra/stages.ts`, reserve);
  const usable = reserved ?? free;
  const perSecond = usable * REQUESTS_PER_EXECUTION;
  const says = `${usable} executions allow ${perSecond} requests a second; the stage's throttle is ${throttle.rate}`;
  if (perSecond >= throttle.rate) return ok(says);
  if (reserved !== undefined) return problem(says, 'raise concurrency of the stage, and deploy');
  return problem(says, raiseQuota(quota + Math.ceil(throttle.rate / REQUESTS_PER_EXECUTION) - free));
};

function reserveCommand(name: string | undefined, reserved: number | undefined): string {
  if (reserved === undefined) return `aws lambda delete-function-concurrency --function-name ${name}`;
  return `aws lambda put-function-concurrency --function-name ${name} --reserved-concurrent-executions ${reserved}`;
}

function raiseQuota(least: number): string {
  return `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${Math.max(USUAL_QUOTA, least)}`;
}
