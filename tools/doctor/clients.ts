// What a client of the stage meets: the throttle in front of it, and a response.

import { APIGatewayClient, GetStageCommand } from '@aws-sdk/client-api-gateway';
import { errorOf, judgeResponse } from '../../contract/judge-response.ts';
import { causeOf, sendHttp } from '../../contract/send-http.ts';
import { OUTPUTS } from '../../infra/names.ts';
import { deployed, ok, problem, type Question } from './question.ts';

/** All methods of a stage that have no settings of their own (API Gateway API Reference, Stage, `methodSettings`). */
const ALL_METHODS = '*/*';

/** Whether the gateway lets requests through, and how many a second. */
export const throttle: Question = async (subject) => {
  const { settings, stage } = subject;
  const restApiId = await (await deployed(subject)).physicalId('AWS::ApiGateway::RestApi');
  const command = new GetStageCommand({ restApiId, stageName: stage.name });
  const { methodSettings } = await new APIGatewayClient(settings).send(command);
  const { throttlingRateLimit: rate, throttlingBurstLimit: burst } = methodSettings?.[ALL_METHODS] ?? {};
  // -1 stands for no limit (github.com/DianaIonita/serverless-api-gateway-throttling, issue 39).
  if (rate === undefined || burst === undefined || rate < 0 || burst < 0)
    return problem('the stage has none of its own', 'docs/runbook-procedures.md#undo-a-change-by-hand');
  if (rate > 0 && burst > 0) return ok(`${rate} requests a second, and bursts of ${burst}`);
  const set = (limit: string, value: number) =>
    `'op=replace,path=/${ALL_METHODS}/throttling/${limit},value=${value}'`;
  const operations = `${set('rateLimit', stage.throttle.rate)} ${set('burstLimit', stage.throttle.burst)}`;
  return problem(
    'the stage is stopped: its throttle is 0, so clients get 42901',
    `aws apigateway update-stage --rest-api-id ${restApiId} --stage-name ${stage.name} --patch-operations ${operations}`,
  );
};

/** What to do about responses that are no surprise, by their error. */
const MENDS: Partial<Record<number, string>> = {
  40301: 'the firewall refuses this address; ask from another one',
  42901: 'docs/runbook-alarms.md#throttled',
  50001: 'docs/runbook-alarms.md#gatewayerrors',
  50401: 'docs/runbook-alarms.md#gatewayerrors',
};

/**
 * Whether a client reaches the function: a request without a token must get 40101, which only the function sends. It needs
 * DNS, TLS, the gateway and the function, but no permission, and stores nothing.
 */
export const response: Question = async (subject) => {
  const url = (await deployed(subject)).output(OUTPUTS.baseUrl);
  const headers = [['content-type', 'application/json']] as const;
  const found = await sendHttp(url, { headers, body: '{}' }).catch(causeOf);
  if (typeof found === 'string')
    return problem(
      `${url} cannot be reached (${found})`,
      'check the network here, the DNS record and the certificate of the domain, and the line "drift"',
    );
  // The last violation says what was returned, unless only a header is wrong.
  const wrong = judgeResponse(found, { status: 400, error: 40101 }).at(-1);
  if (wrong === undefined) return ok(`${url} responds, and refuses a request without a token`);
  const mend = MENDS[errorOf(found) ?? 0] ?? `npm run verify -- --stage ${subject.stage.name}`;
  return problem(`${url}: ${wrong}`, mend);
};
