import { APIGatewayClient, GetStageCommand } from '@aws-sdk/client-api-gateway';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { causeOf } from '../../cli/cause.ts';
import { errorOf, judgeResponse } from '../../contract/judge-response.ts';
import { RESPONSE_MS, sendHttp } from '../../contract/send-http.ts';
import { OUTPUTS } from '../../infra/stack-names.ts';
import { readLive, sharesInWords } from '../shared/live-versions.ts';
import { type Question, required } from './fact.ts';

/** Statuses: CloudFormation User Guide, "Stack status codes". */
export const stackStatus: Question = async ({ stage, stack }) => {
  const expected = 'CREATE_COMPLETE or UPDATE_COMPLETE';
  const found = await stack;
  const deploy = `npm run deploy -- --stage ${stage.name}`;
  // A deployment in the wrong place would make a second, empty stage.
  const first = `wrong account or Region? see credentials; deleted? docs/recover.md#adopt-kept-tables; otherwise ${deploy} --first`;
  if (!found) return { seen: 'not deployed in this account and Region', expected, repair: first };
  const { name, status: seen, isProtected } = found;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(seen)) return { seen, expected, repair: false };
  if (seen.endsWith('_IN_PROGRESS'))
    return { seen, expected, repair: 'wait until it has ended: another deployment would be refused' };
  // Nothing tells to delete a stack, which may hold data. The CDK deletes one whose creation failed before it creates it again,
  // unless it is protected (`isCreationFailure` in aws-cdk).
  const unprotect = `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`;
  const again = isProtected ? `${unprotect}, then ${deploy}` : deploy;
  const next = seen.startsWith('ROLLBACK_') ? again : 'docs/deploy.md#a-deployment-that-failed-halfway';
  const repair = `npx cdk diagnose --unstable=diagnose -c stage=${stage.name}, then ${next}`;
  return { seen, expected, repair };
};

export const protection: Question = async ({ stage: { isProtected: expected }, deployed }) => {
  const { name, isProtected } = await deployed;
  const option = expected ? '--enable' : '--no-enable';
  const repair = `aws cloudformation update-termination-protection ${option}-termination-protection --stack-name ${name}`;
  return { seen: required(isProtected, 'EnableTerminationProtection'), expected, repair };
};

/** Which version serves how many of the requests; and which version the stack has, of which commit. */
export const live: Question = async ({ deployed, settings }) => {
  const found = await readLive(await deployed);
  const { functionName: FunctionName, version: Qualifier, shares, ofStack, source } = found;
  const version = new GetFunctionConfigurationCommand({ FunctionName, Qualifier });
  const { MemorySize, Timeout } = await new LambdaClient(settings).send(version);
  const memory = required(MemorySize, 'MemorySize');
  const isAsDeployed = shares.size === 1 && ofStack.includes(Qualifier);
  const known = `${source.commit?.slice(0, 7) ?? 'not known'}${source.isModified ? ', modified' : ''}`;
  return {
    seen: { version: sharesInWords(found), memory: `${memory} MB`, timeout: `${Timeout} s` },
    expected: { version: ofStack, commit: known },
    repair: !isAsDeployed && 'during a canary, wait; otherwise docs/deploy.md#roll-back-a-deployment',
  };
};

/** A request without a token must get 40101, which only the function sends. It needs no permission, and reaches no table. */
export const response: Question = async ({ stage, deployed }) => {
  const url = (await deployed).output(OUTPUTS.baseUrl);
  const headers = [['content-type', 'application/json']] as const;
  const found = await sendHttp(url, { headers, body: '{}' }).catch((error) => causeOf(error, RESPONSE_MS));
  const expected = { url, status: 400, error: 40101 } as const;
  const silence = 'docs/runbook-alarms.md#silence';
  if (typeof found === 'string') {
    const repair = stage.vpcEndpoints ? 'from another network, see docs/company.md#a-private-api' : silence;
    return { seen: `${url} cannot be reached (${found})`, expected, repair };
  }
  const error = errorOf(found) ?? 0;
  const throttled =
    error === 42901 && 'the stage is stopped, or its throttle is used up: see the line throttle';
  const [wrong] = judgeResponse(found, expected);
  return {
    seen: {
      url,
      status: found.status,
      error,
      ...(wrong !== undefined && error === 40101 && { but: wrong.sentence }),
    },
    expected,
    repair: throttled || (error >= 50_000 ? 'docs/runbook-alarms.md#gatewayerrors' : silence),
  };
};

/** All methods of a stage that have no settings of their own (API Gateway API Reference, Stage, `methodSettings`). */
const ALL_METHODS = '*/*';

export const throttle: Question = async ({ stage, deployed, settings }) => {
  const restApiId = await (await deployed).physicalId('AWS::ApiGateway::RestApi', 'Api');
  const command = new GetStageCommand({ restApiId, stageName: stage.name });
  const { methodSettings } = await new APIGatewayClient(settings).send(command);
  const { rate, burst } = stage.throttle;
  const limited = Object.entries(required(methodSettings, 'methodSettings')).filter(
    ([, each]) => (each.throttlingRateLimit ?? each.throttlingBurstLimit) !== undefined,
  );
  // Settings of one method overrule those of all, also with -1, which stands for no limit
  // (github.com/DianaIonita/serverless-api-gateway-throttling, issue 39).
  const seen = limited.flatMap(([method, { throttlingRateLimit = -1, throttlingBurstLimit = -1 }]) => [
    [`${method} rate`, throttlingRateLimit],
    [`${method} burst`, throttlingBurstLimit],
  ]);
  // The key is the path (github.com/go-to-k/cdkd, pull request 971; untried here).
  const ofMethods = limited.filter(([method]) => method !== ALL_METHODS);
  const operations = [
    `op=replace,path=/${ALL_METHODS}/throttling/rateLimit,value=${rate}`,
    `op=replace,path=/${ALL_METHODS}/throttling/burstLimit,value=${burst}`,
    ...ofMethods.map(([method]) => `op=remove,path=/${method}`),
  ];
  return {
    seen: Object.fromEntries(seen),
    expected: { [`${ALL_METHODS} rate`]: rate, [`${ALL_METHODS} burst`]: burst },
    repair: `aws apigateway update-stage --rest-api-id ${restApiId} --stage-name ${stage.name} --patch-operations '${operations.join("' '")}'`,
  };
};
