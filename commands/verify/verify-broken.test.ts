import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, describe, expect, test } from 'vitest';
import { runChecks } from '../../checks/run-checks.ts';
import { serviceAt } from '../../checks/service-under-test.ts';
import { bodyOf, LEAST, OTHER } from '../../contract/examples.ts';
import { IS_NUMBER } from '../../contract/key.ts';
import { createGateway } from '../../local/gateway.ts';
import { listen } from '../../local/listen.ts';
import { plantEvent, startTestService, type TestService } from '../../test/support/test-service.ts';
import { checksFor } from './verify-service.ts';

type Handler = TestService['handler'];
type Response = APIGatewayProxyResult;

describe('npm run verify names the rule that a service breaks', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  const store = (id: string, plant = LEAST) => service.handler(plantEvent(service.token, bodyOf(id, plant)));

  /** Tests a function behind the gateway. @returns the verdict on each rule of the group, or on this rule */
  async function verdicts(handler: Handler, wanted: string): Promise<Record<string, string>> {
    const gateway = createGateway(handler);
    const client = serviceAt(await listen(gateway), service.token);
    const all = checksFor({ write: true, everyId: true, origins: [] });
    const checks = all.filter(({ group, rule }) => [group, rule].includes(wanted));
    const { results } = await runChecks(checks, client);
    client.close();
    gateway.close();
    return Object.fromEntries(results.map(({ rule, verdict }) => [rule, verdict]));
  }

  test.runIf(IS_NUMBER)('an id of somebody that is in use is not judged', async () => {
    await store('9223372036854775807', OTHER);
    const found = await verdicts(service.handler, 'ids in digits');
    expect(found).toMatchObject({
      'the largest int64 is kept, digit for digit': 'not judged',
      'the smallest int64 is kept, digit for digit': 'held',
    });
    expect(Object.values(found)).not.toContain('did not hold');
  });

  const sent = ({ body }: APIGatewayProxyEvent) => Buffer.from(body ?? '', 'base64').toString();
  const idIn = (event: APIGatewayProxyEvent) => /"id": *"?([^",}\s]+)/.exec(sent(event))?.[1] ?? '';
  const withResponse =
    (change: (response: Response, event: APIGatewayProxyEvent) => Response | Promise<Response>): Handler =>
    async (event, context) =>
      change(await service.handler(event, context), event as APIGatewayProxyEvent);
  const withHeaders = (change: (origin: string, status: number) => Record<string, string>) =>
    withResponse((response, { multiValueHeaders: { origin = [] } }) => {
      const changed = change(String(origin), response.statusCode);
      return { ...response, headers: { ...response.headers, ...changed } };
    });

  /** Stores another plant under a taken id, once. */
  const withConflictLost = (): Handler => {
    let isLost = false;
    return withResponse((response, event) => {
      if (isLost || !response.body.includes('40901')) return response;
      isLost = true;
      const { id: _, ...rest } = JSON.parse(sent(event));
      return { ...response, statusCode: 200, body: JSON.stringify(rest) };
    });
  };
  /** A cache in front, whose keys are the bodies alone. */
  const cached = new Map<string, Response>();
  const withCache: Handler = async (event, context) => {
    const key = sent(event as APIGatewayProxyEvent);
    const response = cached.get(key) ?? (await service.handler(event, context));
    if (response.statusCode === 200) cached.set(key, response);
    return response;
  };
  /** Responds as it should, and stores the plant all the same. */
  const storing = withResponse(async (response, event) => {
    if (response.body.includes('"error":40102') && idIn(event)) await store(idIn(event));
    return response;
  });
  const withIdsOfRefusals = withHeaders((_, status) => ({ 'x-request-id': `a ${status}` }));
  const reflecting = withHeaders((origin) => ({ 'access-control-allow-origin': origin }));
  const openToAll = withHeaders(() => ({ 'access-control-allow-origin': '*' }));
  const withCredentials = withHeaders(() => ({ 'access-control-allow-credentials': 'true' }));

  const ORIGIN = 'a page of an origin that is not allowed can read no response';
  test.each<[string, Handler, string, RegExp]>([
    ['returns 200 for a conflict', withConflictLost(), 'conflicts', /^another plant with a taken id /],
    ['stores two plants of a race', withConflictLost(), 'races', /, exactly one is stored /],
    ['repeats the request id of refusals', withIdsOfRefusals, 'the gateway', /^every response has a differ/],
    ['has a cache in front', withCache, 'access tokens', /^a request without Authorization /],
    ['stores what has a wrong token', storing, 'access tokens', /^a mistyped token is refused$/],
    ['allows the origin that asks', reflecting, ORIGIN, /./],
    ['allows all origins', openToAll, ORIGIN, /./],
    ['allows credentials', withCredentials, ORIGIN, /./],
  ])('if the service %s', async (_, handler, group, rule) => {
    const found = Object.entries(await verdicts(handler, group));
    const broken = found.filter(([, verdict]) => verdict === 'did not hold').map(([name]) => name);
    expect(broken).toContainEqual(expect.stringMatching(rule));
  });
});
