import { APIGatewayClient, GetStageCommand, type MethodSetting } from '@aws-sdk/client-api-gateway';
import type { Stage } from '../../infra/stage-settings.ts';
import { allProblems, deployed, type Finding, problem, type Question } from './question.ts';

/** All methods of a stage that have no settings of their own (API Gateway API Reference, Stage, `methodSettings`). */
const ALL_METHODS = '*/*';

/** Whether the gateway lets through as many requests as the stage's settings say. */
export const throttle: Question = async (subject) => {
  const { settings, stage } = subject;
  const { rate, burst } = stage.throttle;
  const restApiId = await (await deployed(subject)).physicalId('AWS::ApiGateway::RestApi');
  const command = new GetStageCommand({ restApiId, stageName: stage.name });
  const { methodSettings = {} } = await new APIGatewayClient(settings).send(command);
  const patch = (operations: string[]) =>
    `aws apigateway update-stage --rest-api-id ${restApiId} --stage-name ${stage.name} --patch-operations ${operations.map((each) => `'${each}'`).join(' ')}`;
  const set = (limit: string, value: number) =>
    `op=replace,path=/${ALL_METHODS}/throttling/${limit},value=${value}`;
  const { [ALL_METHODS]: all, ...methods } = methodSettings;
  // They overrule the stage's, also with -1.
  const own = Object.keys(methods).filter((key) => hasThrottle(methods[key]));
  // The key is the path (github.com/go-to-k/cdkd, pull request 971; untried here: LocalStack refuses such a path).
  const remove = patch(own.map((key) => `op=remove,path=/${key}`));
  const found = [
    ...throttleProblem(all, stage, patch([set('rateLimit', rate), set('burstLimit', burst)])),
    ...(own.length > 0 ? [problem(`methods with their own: ${own.join(', ')}`, remove)] : []),
  ];
  return allProblems(found, `${rate} requests a second, and bursts of ${burst}`);
};

function hasThrottle({ throttlingRateLimit, throttlingBurstLimit }: MethodSetting = {}): boolean {
  return throttlingRateLimit !== undefined || throttlingBurstLimit !== undefined;
}

/** What is wrong with the throttle of all methods. @param mend the command that sets it as the stage's settings say */
function throttleProblem(
  { throttlingRateLimit: rate, throttlingBurstLimit: burst }: MethodSetting = {},
  { throttle: wanted }: Stage,
  mend: string,
): Finding[] {
  if (rate === wanted.rate && burst === wanted.burst) return [];
  // -1 stands for no limit (github.com/DianaIonita/serverless-api-gateway-throttling, issue 39).
  if (rate === undefined || burst === undefined || rate < 0 || burst < 0)
    return [problem('the stage has none of its own', 'docs/recover.md#undo-a-change-by-hand')];
  if (rate === 0 || burst === 0)
    return [problem('the stage is stopped: its throttle is 0, so clients get 42901', mend)];
  const says = `${rate} requests a second and bursts of ${burst}, but ${wanted.rate} and ${wanted.burst} in infra/stages.ts`;
  return [problem(says, mend)];
}
