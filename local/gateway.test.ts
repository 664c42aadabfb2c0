import { afterAll, describe, expect, test } from 'vitest';
import { errorOf } from '../contract/judge-response.ts';
import { sendHttp } from '../operate/send-http.ts';
import { contractViolations } from '../test/support/contract-runner.ts';
import { exchange, rawHead, responsesIn, startGateway } from '../test/support/raw-client.ts';
import { startTestService } from '../test/support/test-service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** As in AWS's examples: 11 bytes in base64. */
const EXTENDED = /^[\w+/]{15}=$/;

const service = await startTestService();
const { gateway, url } = await startGateway(service.handler);
afterAll(async () => {
  gateway.close();
  await service.close();
});

// contract/cases.yaml has the usual methods and paths.
test.each([
  ['TRACE', '/plants'],
  ['POST', '/../plants'],
  ['POST', '/pl%61nts'],
  ['OPTIONS', '*'],
])('%s %s gets 40401, with an Authorization header too', async (method, path) => {
  for (const headers of [[], [['authorization', 'Bearer x']]] as [string, string][][]) {
    const response = await sendHttp(url, { method, path, headers });
    expect([errorOf(response), contractViolations(response)]).toEqual([40401, []]);
  }
});

test('HEAD gets the status and the headers', async () => {
  expect(await sendHttp(url, { method: 'HEAD' })).toMatchObject({ status: 400, body: '' });
});

test('the challenge is renamed, as API Gateway does', async () => {
  const { headers } = await sendHttp(url, { body: '{}' });
  expect(headers['www-authenticate']).toBeUndefined();
  expect(headers['x-amzn-remapped-www-authenticate']).toBe('Bearer realm="plant-store"');
});

describe('unusual or invalid HTTP gets a response that conforms to the contract, and the service continues', () => {
  test.each([
    ['garbage', '\u0000\u0001\u0002 garbage\r\n\r\n'],
    ['an unknown method', rawHead('PLANT /plants')],
    ['no Host header', 'POST /plants HTTP/1.1\r\nContent-Length: 0\r\n\r\n'],
    ['an unknown expectation', rawHead('POST /plants', 'Expect: unknown', 'Content-Length: 0')],
    ['CONNECT', rawHead('CONNECT plants:443')],
    ['an upgrade', rawHead('GET /plants', 'Connection: Upgrade', 'Upgrade: websocket')],
    ['headers that are too long', rawHead('POST /plants', `A: ${'a'.repeat(20_000)}`)],
    ['a body of two lengths', rawHead('POST /plants', 'Content-Length: 1', 'Content-Length: 2')],
    ['an invalid chunk', `${rawHead('POST /plants', 'Transfer-Encoding: chunked')}zz\r\n`],
    ['an absolute address', rawHead('POST http://x/plants', 'Content-Length: 0')],
  ])('%s', async (_, request) => {
    const back = await exchange(url, request);
    expect(responsesIn(back).map(contractViolations), back).toEqual([[]]);
    const headers = [['authorization', `Bearer ${service.token}`]] as const;
    expect((await sendHttp(url, { headers, body: '{"id":1,"name":"Fern"}' })).status).toBe(200);
  });
});

test('a response of the gateway logs one line without a path or a header', async () => {
  const lines: unknown[] = [];
  const { gateway, url } = await startGateway(service.handler, { log: (line) => lines.push(line) });
  await sendHttp(url, { body: Buffer.alloc(7_000_000, ' ') });
  await exchange(url, rawHead('PLANT /plants?token=secret'));
  await exchange(url, rawHead('CONNECT plants:443'));
  const ids = { request: expect.stringMatching(UUID), extendedRequestId: expect.stringMatching(EXTENDED) };
  expect(lines).toEqual([
    { gateway: 'REQUEST_TOO_LARGE', error: 41301, ...ids },
    { gateway: 'DEFAULT_4XX', error: 40000, ...ids, reason: 'HPE_INVALID_METHOD' },
    { gateway: 'DEFAULT_4XX', error: 40000, ...ids, reason: 'CONNECT' },
  ]);
  gateway.close();
});
