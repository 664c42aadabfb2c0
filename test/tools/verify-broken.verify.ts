import http from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../local/gateway.ts';
import type { Result } from '../../tools/verify/check.ts';
import { listen } from '../support/listen.ts';
import { plantEvent, startTestService, type TestService } from '../support/test-service.ts';
import { runTool } from './run-tool.ts';

type Handler = TestService['handler'];

describe('npm run verify names the rule that a service breaks', async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  /** Verifies the gateway in front of a function, under a stage's path. */
  async function verified(
    handler: Handler,
    words: string[] = [],
    onRequest = answerNothing,
  ): Promise<Result[]> {
    const gateway = createGateway(handler);
    const stage = http.createServer((request, response) => {
      request.url = request.url?.replace(/^\/prod(?=\/)/, '') ?? '';
      if (!onRequest(request, response)) gateway.emit('request', request, response);
    });
    const url = `${await listen(stage)}/prod`;
    const { code, out } = await runTool('verify', ['--url', url, '--json', ...words], {
      input: service.token,
    });
    stage.closeAllConnections();
    stage.close();
    const { didNotHold, results } = JSON.parse(out) as { didNotHold: number; results: Result[] };
    expect(code).toBe(didNotHold > 0 ? 1 : 0);
    return results;
  }

  const brokenRules = async (...how: Parameters<typeof verified>) =>
    (await verified(...how)).filter(({ verdict }) => verdict === 'did not hold').map(({ rule }) => rule);

  test('no rule is reported if none is broken, with the path of a stage', async () => {
    expect(await brokenRules(service.handler)).toEqual([]);
  });

  test('what the service cannot change is not judged: AWS’s 413, and a limit of int64 that is in use', async () => {
    await service.handler(plantEvent(service.token, '{"id":9223372036854775807,"name":"Somebody’s"}'));
    const results = await verified(service.handler, ['--write'], (request, response) => {
      if (Number(request.headers['content-length'] ?? 0) < 4.5 * 1024 * 1024) return false;
      request.resume().on('end', () => response.writeHead(413).end('{"message":"Request Too Long"}'));
      return true;
    });
    const verdicts = Object.fromEntries(results.map(({ rule, verdict }) => [rule, verdict]));
    expect(verdicts['a body of 2 MB is refused as too large']).toBe('held');
    expect(verdicts['a body of 9.5 MB is refused as too large']).toBe('not judged');
    expect(verdicts['the largest int64 is kept, digit for digit']).toBe('not judged');
    expect(verdicts['the smallest int64 is kept, digit for digit']).toBe('held');
    expect(Object.values(verdicts)).not.toContain('did not hold');
  });

  const withAnswer =
    (
      change: (answer: APIGatewayProxyResult, event: APIGatewayProxyEvent) => APIGatewayProxyResult,
    ): Handler =>
    async (event, context) =>
      change(await service.handler(event, context), event as APIGatewayProxyEvent);
  const withEvent =
    (change: (event: APIGatewayProxyEvent) => APIGatewayProxyEvent): Handler =>
    (event, context) =>
      service.handler(change(event as APIGatewayProxyEvent), context);

  const sent = ({ body }: APIGatewayProxyEvent) => Buffer.from(body ?? '', 'base64').toString();

  test.each<[string, string, Handler, string[]]>([
    [
      'a missing token is answered with 401',
      'a request without Authorization has no token',
      withAnswer((answer) => (answer.body.includes('40101') ? { ...answer, statusCode: 401 } : answer)),
      [],
    ],
    [
      'answers may be kept by caches',
      'the answer is the plant without its id',
      withAnswer(({ headers, ...answer }) => ({ ...answer, headers: { ...headers, 'cache-control': '' } })),
      [],
    ],
    [
      'the answer holds the id',
      'the answer is the plant without its id',
      withAnswer((answer) =>
        answer.statusCode === 200 ? { ...answer, body: answer.body.replace('{', '{"id":1,') } : answer,
      ),
      [],
    ],
    [
      'a conflict is answered with 200',
      'another name with its id is refused, and overwrites nothing',
      withAnswer((answer, event) => {
        if (!answer.body.includes('40901')) return answer;
        const { name, tag } = JSON.parse(sent(event));
        return { ...answer, statusCode: 200, body: JSON.stringify({ name, tag }) };
      }),
      [],
    ],
    [
      'any token is accepted',
      'a mistyped token is refused',
      withEvent((event) => {
        const { Authorization: _, authorization, ...others } = event.multiValueHeaders;
        return {
          ...event,
          headers: {},
          multiValueHeaders: authorization
            ? { ...others, authorization: [`Bearer ${service.token}`] }
            : others,
        };
      }),
      [],
    ],
    [
      'ids go through a double',
      'ids that are equal as doubles are different plants',
      withEvent((event) => {
        const body = sent(event).replace(
          /("id":)(-?\d{17,20})(?=[,}])/,
          (_, key, id) => key + BigInt(Number(id)),
        );
        return { ...event, body: Buffer.from(body).toString('base64') };
      }),
      ['--write'],
    ],
  ])('%s: "%s"', async (_, rule, handler, words) => {
    expect(await brokenRules(handler, words)).toContain(rule);
  });

  test('the gateway answers an unknown path with AWS’s own message', async () => {
    const rules = await brokenRules(service.handler, [], (request, response) => {
      if (request.url === '/plants') return false;
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end('{"message":"Missing Authentication Token"}');
      return true;
    });
    expect(rules).toContain('POST /trees without a token is not an operation');
    expect(rules).not.toContain('GET /plants without a token is not an operation');
  });
});

/** Passes every request to the gateway. */
function answerNothing(_request: http.IncomingMessage, _response: http.ServerResponse): boolean {
  return false;
}
