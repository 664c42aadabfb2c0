import http from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../local/gateway.ts';
import { listen } from '../../test/support/listen.ts';
import { plantEvent, startTestService, type TestService } from '../../test/support/test-service.ts';
import { type Check, runChecks } from './check.ts';
import { checksFor } from './run.ts';
import { RunningService } from './running-service.ts';

/** Each group of checks can run alone. */
const CHECKS = checksFor({ write: true, everyId: true });

type Handler = TestService['handler'];
type Change = (response: APIGatewayProxyResult, event: APIGatewayProxyEvent) => APIGatewayProxyResult;

describe('npm run verify names the rule that a service breaks', async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  /**
   * Tests the gateway in front of a function.
   * @param wanted the rule to test, or the group of the rules
   * @param respondItself responds to a request in place of the gateway, or returns false
   * @returns the verdict on each rule
   */
  async function verdicts(
    handler: Handler,
    wanted: string,
    respondItself: (request: http.IncomingMessage, response: http.ServerResponse) => boolean = () => false,
  ): Promise<Record<string, string>> {
    const gateway = createGateway(handler);
    const front = http.createServer((request, response) => {
      if (!respondItself(request, response)) gateway.emit('request', request, response);
    });
    const client = new RunningService(await listen(front), service.token);
    const checks = CHECKS.filter(({ group, rule }) => [group, rule].includes(wanted));
    const results = await runChecks(checks, client, () => undefined);
    client.close();
    front.close();
    return Object.fromEntries(results.map(({ rule, verdict }) => [rule, verdict]));
  }

  test('a limit of int64 that is in use is not judged', async () => {
    await service.handler(plantEvent(service.token, '{"id":9223372036854775807,"name":"Somebody’s"}'));
    const found = await verdicts(service.handler, 'ids');
    expect(found).toMatchObject({
      'the largest int64 is kept, digit for digit': 'not judged',
      'the smallest int64 is kept, digit for digit': 'held',
    });
    expect(Object.values(found)).not.toContain('did not hold');
  });

  const withResponse =
    (change: Change): Handler =>
    async (event, context) =>
      change(await service.handler(event, context), event as APIGatewayProxyEvent);
  const withEvent =
    (change: (event: APIGatewayProxyEvent) => Partial<APIGatewayProxyEvent>): Handler =>
    (event, context) =>
      service.handler({ ...(event as object), ...change(event as APIGatewayProxyEvent) }, context);
  const sent = ({ body }: APIGatewayProxyEvent) => Buffer.from(body ?? '', 'base64').toString();

  const with401 = withResponse((response) =>
    response.body.includes('40101') ? { ...response, statusCode: 401 } : response,
  );
  /** Stores other plants under taken ids, as often as this says. */
  const withConflictsLost = (most: number): Handler => {
    let lost = 0;
    return withResponse((response, event) => {
      if (lost >= most || !response.body.includes('40901')) return response;
      lost += 1;
      const { name, tag } = JSON.parse(sent(event));
      return { ...response, statusCode: 200, body: JSON.stringify({ name, tag }) };
    });
  };
  const withIdsOfRefusals = withResponse((response) => ({
    ...response,
    headers: { ...response.headers, 'x-request-id': `a ${response.statusCode}` },
  }));
  const withAnyToken = withEvent(({ multiValueHeaders: { authorization, ...others } }) => ({
    multiValueHeaders: authorization ? { ...others, authorization: [`Bearer ${service.token}`] } : others,
  }));
  /** A cache in front, whose keys are the bodies alone. */
  const withCache = (): Handler => {
    const stored = new Map<string, APIGatewayProxyResult>();
    return async (event, context) => {
      const body = sent(event as APIGatewayProxyEvent);
      const response = stored.get(body) ?? (await service.handler(event, context));
      if (response.statusCode === 200) stored.set(body, response);
      return response;
    };
  };
  const withDoubles = withEvent((event) => {
    const rounded = (_: string, key: string, id: string) => key + BigInt(Number(id));
    const body = sent(event).replace(/("id":)(-?\d{17,20})(?=[,}])/, rounded);
    return { body: Buffer.from(body).toString('base64') };
  });

  const DIFFERENT_IDS = 'every response has a different request id';
  test.each<[string, Handler, string, RegExp]>([
    ['responds to a missing token with 401', with401, 'access tokens', /^a request without Authorization /],
    ['returns 200 for a conflict', withConflictsLost(1), 'the verify plant', /^another name with its id /],
    ['stores all plants of a race', withConflictsLost(Infinity), 'races', /, exactly one is stored /],
    ['stores two plants of a race', withConflictsLost(1), 'races', /, exactly one is stored /],
    ['repeats the request id of refusals', withIdsOfRefusals, DIFFERENT_IDS, /./],
    ['accepts any token', withAnyToken, 'access tokens', /^a mistyped token is refused$/],
    ['has a cache in front', withCache(), 'access tokens', / just stored is refused without a token$/],
    ['has a cache in front', withCache(), 'access tokens', / just stored is refused with an unknown token$/],
    ['reads ids as doubles', withDoubles, 'the plant', /^a plant without a tag is returned without one$/],
  ])('if the service %s', async (_, handler, group, rule) => {
    const found = Object.entries(await verdicts(handler, group));
    const broken = found.filter(([, verdict]) => verdict === 'did not hold').map(([name]) => name);
    expect(broken).toContainEqual(expect.stringMatching(rule));
  });

  test('if the gateway responds to a body of 2 MB, which AWS accepts, with 413; AWS itself does so to larger ones', async () => {
    const found = await verdicts(service.handler, 'the gateway', (request, response) => {
      if (Number(request.headers['content-length'] ?? 0) < 1024 * 1024) return false;
      request.resume().on('end', () => response.writeHead(413).end('{"message":"Request Too Long"}'));
      return true;
    });
    expect(found).toMatchObject({
      'a body of 2 MB is refused as too large': 'did not hold',
      'a body of 5 MB is refused as too large': 'not judged',
    });
  });
});

test('a service counts as stopped after three checks without a response, one after the other', async () => {
  const check = (rule: string): Check => ({
    group: 'any',
    rule,
    run: async () => (rule === 'unanswered' ? Promise.reject(new Error('reset')) : []),
  });
  const [no, yes] = ['unanswered', 'responded'];
  const results = await runChecks([no, no, yes, no, no, no, yes].map(check), {} as never, () => undefined);
  const unanswered = ['did not hold', 'no response (reset)'];
  expect(results.map(({ verdict, reasons }) => [verdict, ...reasons])).toEqual([
    ...[unanswered, unanswered, ['held'], unanswered, unanswered, unanswered],
    ['not judged', 'the service stopped responding'],
  ]);
});
