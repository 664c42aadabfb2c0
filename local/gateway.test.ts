import { afterAll, expect, test } from 'vitest';
import { sendHttp } from '../commands/shared/send-http.ts';
import { errorOf } from '../contract/judge-response.ts';
import { contractViolations } from '../test/support/contract-runner.ts';
import { startHttpService } from '../test/support/http-service.ts';
import { responsePage } from './api-page.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** As in AWS's examples: 11 bytes in base64. */
const EXTENDED = /^[\w+/]{15}=$/;

const lines: unknown[] = [];
const { url, close } = await startHttpService({ responsePage, log: (line) => lines.push(line) });
afterAll(close);

// contract/cases.yaml has the usual methods and paths. The last ones are near those of the page.
test.each([
  ['TRACE', '/plants'],
  ['POST', '/../plants'],
  ['POST', '/pl%61nts'],
  ['OPTIONS', '*'],
  ['GET', '/docs/'],
  ['GET', '/docs/../local/start.ts'],
  ['GET', '/constructor'],
  ['POST', '/docs'],
  ['OPTIONS', '/docs'],
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

test('a response of the gateway logs one line without a path or a header', async () => {
  await sendHttp(url, { body: Buffer.alloc(7_000_000, ' ') });
  const ids = { request: expect.stringMatching(UUID), extendedRequestId: expect.stringMatching(EXTENDED) };
  expect(lines).toEqual([{ gateway: 'REQUEST_TOO_LARGE', error: 41301, ...ids }]);
});
