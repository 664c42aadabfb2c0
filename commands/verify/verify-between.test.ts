import http from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { runChecks } from '../../checks/run-checks.ts';
import { serviceAt } from '../../checks/service-under-test.ts';
import { refusal, startScriptedService } from '../../client/test/scripted-service.ts';
import { createGateway } from '../../local/gateway.ts';
import { listen } from '../../local/listen.ts';
import { startTestService } from '../../test/support/test-service.ts';
import { checksFor, requireService } from './verify-service.ts';

/** What a proxy makes of the values of Authorization. */
type Authorization = (values: string[]) => string | string[];

const NGINX = { server: 'nginx/1.22.1', 'content-type': 'text/html' };
const PAGE = '(docs/company.md#a-proxy-in-front-of-the-service).';
const JOINED = `A proxy between joins two headers of one name, or passes on only one ${PAGE}`;
const FOREIGN = `The response is not the service's but that of a proxy or of AWS: no x-request-id, HTML, server: nginx/1.22.1 ${PAGE}`;

describe('npm run verify names what a proxy between does', async () => {
  const service = await startTestService();
  const gateway = createGateway(service.handler);
  const upstream = await listen(gateway);
  afterAll(() => {
    gateway.close();
    return service.close();
  });

  /** Tests the service behind a proxy that cleans paths and has a limit of 1 MiB. @returns the sentences on each broken rule */
  async function said(group: string, authorization: Authorization): Promise<Record<string, string[]>> {
    const proxy = http.createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      if (body.length > 2 ** 20) return void response.writeHead(413, NGINX).end('<html>');
      const { authorization: values = [] } = request.headersDistinct;
      const { authorization: _, ...headers } = request.headers;
      const to = {
        method: request.method,
        headers: { ...headers, ...(values[0] && { authorization: authorization(values) }) },
      };
      const path = (request.url ?? '').replace(/\/{2,}/g, '/');
      http
        .request(upstream + path, to as http.RequestOptions, (from) => {
          response.writeHead(from.statusCode ?? 0, from.headers);
          from.pipe(response);
        })
        .end(body);
    });
    const client = serviceAt(await listen(proxy), service.token);
    const checks = checksFor({ write: false, everyId: true, origins: [] }).filter(
      (each) => each.group === group,
    );
    const { results } = await runChecks(checks, client);
    client.close();
    proxy.close();
    const broken = results.filter(({ verdict }) => verdict === 'did not hold');
    return Object.fromEntries(
      broken.map(({ rule, reasons }) => [rule, reasons.map(({ sentence }) => sentence)]),
    );
  }

  test.each<[string, Authorization, string[]]>([
    ['joins', (values) => values.join(','), ['the last is a valid token', 'neither is a bearer token']],
    [
      'drops all but the first',
      ([first]) => first ?? '',
      [
        'both are the same valid token',
        'the first is a valid token',
        'the last is a valid token',
        'neither is a bearer token',
      ],
    ],
  ])('which %s of two Authorization headers', async (_, authorization, rules) => {
    const broken = await said('access tokens', authorization);
    expect(Object.keys(broken).map((rule) => rule.replace(/.* although /, ''))).toEqual(rules);
    for (const sentences of Object.values(broken)) expect(sentences.at(-1)).toBe(JOINED);
  });

  test('which passes on only one of two media types', async () => {
    // Node's `request.headers` has the first.
    const [sentences] = Object.values(await said('media types', (values) => values));
    expect(sentences?.at(-1)).toBe(JOINED);
  });

  test('which cleans //plants, and answers itself', async () => {
    expect(Object.values(await said('methods and paths', (values) => values))).toEqual([
      [
        expect.stringContaining('"error":40101'),
        `A proxy between cleans the path, and makes /plants of //plants ${PAGE}`,
      ],
    ]);
    const tooLarge = Object.values(await said('sizes', (values) => values));
    expect(tooLarge.length).toBeGreaterThan(0);
    for (const [first] of tooLarge) expect(first).toBe(FOREIGN);
  });
});

const TOKEN = `plants_${'0'.repeat(49)}`;
test.each<[string, Record<string, string>, number, string]>([
  ['another response', NGINX, 502, `status 502, text/html. ${FOREIGN}`],
  [
    'no token',
    { 'x-request-id': 'r-1' },
    40101,
    `40101: Message 40101. The access token was sent, but did not arrive: a proxy in front removes the Authorization header ${PAGE}`,
  ],
])('the first request: %s', async (_, headers, status, says) => {
  const response = status === 40101 ? refusal(status, headers) : { status, body: '<html>', headers };
  const { url, close } = await startScriptedService(response);
  const service = serviceAt(url, TOKEN);
  await expect(requireService(service)).rejects.toThrow(`${url} does not accept a valid plant: ${says}`);
  service.close();
  await close();
});
