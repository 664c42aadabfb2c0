import { APIGatewayClient, GetStageCommand } from '@aws-sdk/client-api-gateway';
import { errorOf, judgeResponse } from '../../contract/judge-response.ts';
import { OUTPUTS } from '../../infra/names.ts';
import { readLive, sharesInWords } from '../shared/live-versions.ts';
import { causeOf, sendHttp } from '../shared/send-http.ts';
import { deployed, type Question, required } from './fact.ts';

/** Statuses: CloudFormation User Guide, "Stack status codes". */
export const stackStatus: Question = async ({ stage, stack }) => {
  const expected = 'CREATE_COMPLETE or UPDATE_COMPLETE';
  const found = await stack;
  const deploy = `npm run deploy -- --stage ${stage.name}`;
  // A deployment in the wrong place would make a second, empty stage.
  const first = `wrong account or Region? see credentials; deleted? docs/recover.md#adopt-kept-tables; otherwise ${deploy} --first`;
  if (!found) return { seen: 'not deployed in this account and Region', expected, repair: first };
  const { name, status: seen, isProtected } = found;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(seen)) return { seen, expected, differs: false };
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

export const protection: Question = async (subject) => {
  const { name, isProtected } = await deployed(subject);
  const { isProtected: expected } = subject.stage;
  const option = expected ? '--enable' : '--no-enable';
  const repair = `aws cloudformation update-termination-protection ${option}-termination-protection --stack-name ${name}`;
  return { seen: required(isProtected, 'EnableTerminationProtection'), expected, repair };
};

/** Which version serves how many of the requests; and which version the stack has, of which commit. */
export const live: Question = async (subject) => {
  const found = await readLive(await deployed(subject));
  const { version, shares, ofStack, source } = found;
  const commit = `${source.commit?.slice(0, 7) ?? 'not known'}${source.isModified ? ', modified' : ''}`;
  return {
    seen: { version: sharesInWords(found) },
    expected: { version: ofStack, commit },
    repair: 'during a canary, wait; otherwise docs/deploy.md#roll-back-a-deployment',
    differs: shares.size > 1 || !ofStack.includes(version),
  };
};

/** A request without a token must get 40101, which only the function sends. It needs no permission, and reaches no table. */
export const response: Question = async (subject) => {
  const url = (await deployed(subject)).output(OUTPUTS.baseUrl);
  const headers = [['content-type', 'application/json']] as const;
  const found = await sendHttp(url, { headers, body: '{}' }).catch(causeOf);
  const expected = { url, status: 400, error: 40101 } as const;
  const repair = 'docs/runbook-alarms.md#silence';
  if (typeof found === 'string') return { seen: `${url} cannot be reached (${found})`, expected, repair };
  const error = errorOf(found) ?? 0;
  const [wrong] = judgeResponse(found, expected);
  const but = wrong !== undefined && error === 40101 && { but: wrong };
  return { seen: { url, status: found.status, error, ...but }, expected, repair };
};

/** All methods of a stage that have no settings of their own (API Gateway API Reference, Stage, `methodSettings`). */
const ALL_METHODS = '*/*';

export const throttle: Question = async (subject) => {
  const { settings, stage } = subject;
  const restApiId = await (await deployed(subject)).physicalId('AWS::ApiGateway::RestApi');
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
  // The key is the path (github.com/go-to-k/cdkd, pull request 971; untried here: LocalStack refuses such a path).
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
