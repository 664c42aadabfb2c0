import { APIGatewayClient, GetStageCommand, type MethodSetting } from '@aws-sdk/client-api-gateway';
import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { errorOf, judgeResponse } from '../../contract/judge-response.ts';
import { parseAliasDescription } from '../../infra/alias-description.ts';
import { ALIAS, OUTPUTS } from '../../infra/names.ts';
import { causeOf, sendHttp } from '../shared/send-http.ts';
import { deployed, given, type Question } from './fact.ts';

/** Statuses: CloudFormation User Guide, "Stack status codes". */
export const stackStatus: Question = async ({ stage, stack }) => {
  const template = 'CREATE_COMPLETE or UPDATE_COMPLETE';
  const found = await stack;
  const deploy = `npm run deploy -- -c stage=${stage.name}`;
  if (!found) return ['not deployed in this account and Region', template, deploy];
  const { name, status, isProtected } = found;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return [status, template, '', false];
  if (status.endsWith('_IN_PROGRESS'))
    return [status, template, 'wait until it has ended: another deployment would be refused'];
  // Nothing tells to delete a stack, which may hold data. The CDK deletes one whose creation failed before it creates it again,
  // unless it is protected (`isCreationFailure` in aws-cdk).
  const unprotect = `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`;
  const again = isProtected ? `${unprotect}, then ${deploy}` : deploy;
  const next = status.startsWith('ROLLBACK_') ? again : 'docs/deploy.md#a-deployment-that-failed-halfway';
  return [status, template, `npx cdk diagnose --unstable=diagnose -c stage=${stage.name}, then ${next}`];
};

export const protection: Question = async (subject) => {
  const { name, isProtected } = await deployed(subject);
  const inWords = (is: boolean) => (is ? 'on' : 'off');
  const option = subject.stage.isProtected ? '--enable' : '--no-enable';
  const mend = `aws cloudformation update-termination-protection ${option}-termination-protection --stack-name ${name}`;
  return [
    inWords(given(isProtected, 'EnableTerminationProtection')),
    inWords(subject.stage.isProtected),
    mend,
  ];
};

/** Which version serves how many of the requests; and which version the stack has, of which commit. */
export const live: Question = async (subject) => {
  const stack = await deployed(subject);
  const FunctionName = await stack.physicalId('AWS::Lambda::Function');
  const command = new GetAliasCommand({ FunctionName, Name: ALIAS });
  const alias = await new LambdaClient(subject.settings).send(command);
  const share = (version = '?', part = 1) => `version ${version}, ${Number((100 * part).toFixed(2))} %`;
  const others = Object.entries(alias.RoutingConfig?.AdditionalVersionWeights ?? {});
  const rest = others.reduce((left, [, weight]) => left - weight, 1);
  const first = share(given(alias.FunctionVersion, 'FunctionVersion'), rest);
  const served = [first, ...others.map(([version, part]) => share(version, part))].join('; ');
  const { commit, isModified } = parseAliasDescription(alias.Description);
  // The template sets the description, which stays if somebody moves the alias.
  const known = `; commit ${commit?.slice(0, 7) ?? 'not known'}${isModified ? ', modified' : ''}`;
  // The physical id is the version's ARN. During an update, the stack can have two.
  const ofStack = (await stack.resources())
    .filter((each) => each.ResourceType === 'AWS::Lambda::Version')
    .filter(({ ResourceStatus }) => !ResourceStatus?.startsWith('DELETE_'))
    .map(({ PhysicalResourceId }) => share(PhysicalResourceId?.split(':').at(-1)));
  const mend = 'during a canary, wait; otherwise docs/recover.md#undo-a-change-by-hand';
  return [served, (ofStack.join(' or ') || 'no version') + known, mend, !ofStack.includes(served)];
};

/** A request without a token must get 40101, which only the function sends. It needs no permission, and stores nothing. */
export const response: Question = async (subject) => {
  const url = (await deployed(subject)).output(OUTPUTS.baseUrl);
  const headers = [['content-type', 'application/json']] as const;
  const found = await sendHttp(url, { headers, body: '{}' }).catch(causeOf);
  const template = '400 with error 40101, without a token: no table is reached';
  const silence = 'docs/runbook-alarms.md#silence';
  if (typeof found === 'string') return [`${url} cannot be reached (${found})`, template, silence];
  const error = errorOf(found) ?? 0;
  const [wrong] = judgeResponse(found, { status: 400, error: 40101 });
  const but = wrong !== undefined && error === 40101 ? `, but ${wrong}` : '';
  const mend = error >= 50_000 ? 'docs/runbook-alarms.md#gatewayerrors' : silence;
  return [`${url}: ${found.status} with error ${error}${but}`, template, mend, wrong !== undefined];
};

/** All methods of a stage that have no settings of their own (API Gateway API Reference, Stage, `methodSettings`). */
const ALL_METHODS = '*/*';

export const throttle: Question = async (subject) => {
  const { settings, stage } = subject;
  const restApiId = await (await deployed(subject)).physicalId('AWS::ApiGateway::RestApi');
  const command = new GetStageCommand({ restApiId, stageName: stage.name });
  const { methodSettings } = await new APIGatewayClient(settings).send(command);
  // Settings of one method overrule those of all, also with -1, which stands for no limit
  // (github.com/DianaIonita/serverless-api-gateway-throttling, issue 39).
  const inWords = ([method, limits]: readonly [string, MethodSetting]) => {
    const { throttlingRateLimit: rate = -1, throttlingBurstLimit: burst = -1 } = limits;
    return `${method} ${rate} requests a second, bursts of ${burst}`;
  };
  const { rate, burst } = stage.throttle;
  const found = Object.entries(given(methodSettings, 'methodSettings')).filter(
    ([, each]) => (each.throttlingRateLimit ?? each.throttlingBurstLimit) !== undefined,
  );
  // The key is the path (github.com/go-to-k/cdkd, pull request 971; untried here: LocalStack refuses such a path).
  const ofMethods = found.filter(([method]) => method !== ALL_METHODS);
  const operations = [
    `op=replace,path=/${ALL_METHODS}/throttling/rateLimit,value=${rate}`,
    `op=replace,path=/${ALL_METHODS}/throttling/burstLimit,value=${burst}`,
    ...ofMethods.map(([method]) => `op=remove,path=/${method}`),
  ];
  return [
    found.map(inWords).sort().join('; ') || 'no throttle of its own',
    inWords([ALL_METHODS, { throttlingRateLimit: rate, throttlingBurstLimit: burst }]),
    `aws apigateway update-stage --rest-api-id ${restApiId} --stage-name ${stage.name} --patch-operations '${operations.join("' '")}'`,
  ];
};
