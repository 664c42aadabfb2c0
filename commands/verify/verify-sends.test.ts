import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runChecks } from '../../checks/run-checks.ts';
import { serviceAt } from '../../checks/service-under-test.ts';
import { type Behavior, FERN, refusal, startScriptedService } from '../../client/test/scripted-service.ts';
import { LEAST } from '../../contract/examples.ts';
import { IS_NUMBER, idOf, RESERVED } from '../../contract/key.ts';
import { caseIds } from '../../contract/reserved-ids.ts';
import { listen } from '../../local/listen.ts';
import { checksFor, requireService } from './verify-service.ts';

const TOKEN = `plants_${'0'.repeat(49)}`;

const FIRST = IS_NUMBER ? -(2n ** 62n) : RESERVED.first;
/** Of numbers, as a double, which is exact enough; texts are equally long. */
const isReserved = (id: string) =>
  IS_NUMBER
    ? Number(id) >= Number(FIRST) && Number(id) < Number(FIRST + 2n ** 40n)
    : id >= idOf(FIRST) && id <= idOf(FIRST + RESERVED.count - 1n);
const NUMBER = /(?<=\/|\bid=)-?\d+/;
const TEXT = /(?<=plants(?:\/|\?id=))[^/&?]+/;

/** What a careless service makes of a body: it unpacks it, decodes it, and takes the first number, or text, after the word id. */
function carelessId(body: Buffer): string | undefined {
  const plain = body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body;
  const text = plain.toString().replaceAll('\0', '').replaceAll('\\u0069', 'i').replaceAll('\\u0064', 'd');
  const pattern = IS_NUMBER ? /\bid\b[^\p{L}\p{Nd}]*?(-?\p{Nd}[\p{Nd}.eE+-]*)/u : /\bid["\s]*:\s*"([^"]+)"/;
  return pattern.exec(text)?.[1];
}

test('where the stage is protected, no id of somebody is used, even if the service unpacks, decodes and accepts everything', async () => {
  const requests: { url: string; body: Buffer }[] = [];
  const server = http.createServer(async (request, response) => {
    requests.push({ url: request.url ?? '', body: Buffer.concat(await request.toArray()) });
    response.end(JSON.stringify(LEAST));
  });
  const service = serviceAt(await listen(server), TOKEN);
  const { results } = await runChecks(checksFor({ write: true, everyId: false }), service);
  service.close();
  server.close();
  const used = requests
    .flatMap(({ url, body }) => [(IS_NUMBER ? NUMBER : TEXT).exec(url)?.[0], carelessId(body)])
    .filter((id) => id !== undefined);
  expect(used.length).toBeGreaterThan(results.length / 2);
  const ofSomebody = used.filter((id) => !isReserved(id));
  expect(ofSomebody, 'the case with this id in contract/cases/ needs anyId: true').toEqual([]);
  const notJudged = results.filter(({ verdict }) => verdict === 'not judged');
  expect(notJudged.length).toBeLessThan(results.length / 5);
});

test('the ids of refusals are new in each run, and those of stored plants the same', () => {
  expect(caseIds().refused).not.toBe(caseIds().refused);
  expect(caseIds().stored).toBe(FIRST);
});

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': '1',
  'retry-after': '1',
};
const throttled = refusal(42901, headers);
const byProxy = { status: 503, body: 'busy', headers };
const invalid = { status: 400, body: '{"error":40102,"message":"Not\u009b\\nvalid."}' };
const REFUSES = 'does not accept a valid plant:';

test.concurrent.each<[string, Behavior[], says: string, requests: number]>([
  ['a broken connection is opened once more', ['reset', FERN], 'accepts it', 2],
  ['a second broken connection is reported', ['reset', 'reset', FERN], 'cannot be reached (ECONNRESET).', 2],
  ['a throttled request is repeated', [throttled, FERN], 'accepts it', 2],
  [
    'the wait is limited for all retries together',
    [throttled, throttled, FERN],
    `${REFUSES} 42901: Message 42901.`,
    2,
  ],
  ['what a proxy says is not repeated', [byProxy], `${REFUSES} status 503, application/json.`, 1],
  [
    'what has no message',
    [{ status: 400, body: '{"error":40102}' }],
    `${REFUSES} status 400, application/json.`,
    1,
  ],
  ['its words are one line', [invalid], `${REFUSES} 40102: Not\u009b valid.`, 1],
])('the first request, with a valid plant: %s', async (_, script, says, count) => {
  const { url, requests, close } = await startScriptedService(...script);
  const service = serviceAt(url, TOKEN, { retryWaitMs: 1_000 });
  const said = await requireService(service).then(
    () => `${url} accepts it`,
    ({ message }) => message,
  );
  service.close();
  await close();
  expect(said).toContain(`${url} ${says}`);
  expect([requests.length, service.counts.retries]).toEqual([count, count - 1]);
});

test('a bug of a check is told as such, and does not count as a missing response', async () => {
  const service = serviceAt('http://127.0.0.1:9', TOKEN);
  const run = async () => Object(undefined).violations.length;
  const { results } = await runChecks([{ group: 'any', rule: 'any', run }], service);
  service.close();
  const sentence = expect.stringMatching(/^not tested, because of a bug in this command: TypeError: /);
  expect(results).toEqual([{ group: 'any', rule: 'any', verdict: 'did not hold', reasons: [{ sentence }] }]);
});

test('after three checks without a response, the others are not judged', async () => {
  const { url, requests, close } = await startScriptedService('reset');
  const service = serviceAt(url, TOKEN);
  const { results, hasStopped } = await runChecks(checksFor({ write: true, everyId: true }), service);
  service.close();
  await close();
  expect(requests.length).toBe(6);
  expect(hasStopped).toBe(true);
  const verdicts = results.map(({ verdict }) => verdict);
  expect(verdicts.slice(0, 4)).toEqual(['did not hold', 'did not hold', 'did not hold', 'not judged']);
  expect(new Set(verdicts.slice(3))).toEqual(new Set(['not judged']));
});
