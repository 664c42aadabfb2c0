import { describe, expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { type Behavior, FERN, refusal, startScriptedService } from '../../client/test/scripted-service.ts';
import { LEAST } from '../../contract/examples.ts';
import { ERRORS, type PublishedError } from '../../lambda/errors.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import { plantSender } from './sender.ts';

const PLANT = { id: 1n, ...LEAST } as NewPlant;
/** The published errors that concern a single line, and those that would refuse every line. */
const OF_THE_LINE = [40001, 40002, 40901, 41301];
const OF_ALL_LINES = [40000, 40101, 40102, 40301, 40401, 41501, 50001];

const senderTo = (url: string) => plantSender({ url, token: 'token' }, new AbortController().signal);

/** Sends the same plant again and again to a scripted service. @returns the outcome of each, and the number of requests */
async function send(count: number, ...script: Behavior[]) {
  const service = await startScriptedService(...script);
  const sender = senderTo(service.url);
  const outcomes: PromiseSettledResult<Awaited<ReturnType<typeof sender>>>[] = [];
  while (outcomes.length < count) outcomes.push(...(await Promise.allSettled([sender(PLANT)])));
  await service.close();
  const seen = outcomes.map((each) =>
    each.status === 'rejected' ? each.reason : (each.value?.error ?? 'stored'),
  );
  return { url: service.url, seen, requests: service.requests.length };
}

test('a plant is stored, or refused with an error that concerns its line', async () => {
  const sent = 1 + OF_THE_LINE.length;
  const { seen, requests } = await send(sent, FERN, ...OF_THE_LINE.map((error) => refusal(error)));
  expect([seen, requests]).toEqual([['stored', ...OF_THE_LINE], sent]);
});

test('every published error without Retry-After is tried', () => {
  const final = Object.values<PublishedError>(ERRORS).filter(({ retryAfter }) => retryAfter === undefined);
  expect(final.map(({ error }) => error)).toEqual([...OF_THE_LINE, ...OF_ALL_LINES].sort());
});

const LOST = { 'retry-after': '0' };
test.each<[string, Behavior[], (number | string)[]]>([
  ['first, with an id', [refusal(50401, { ...LOST, 'x-request-id': 'r-1' }), FERN], ['stored']],
  ['after a plant', [FERN, refusal(50401, LOST), FERN], ['stored', 'stored']],
  ['after a refusal', [refusal(40002), refusal(50401, LOST), FERN], [40002, 'stored']],
])('what passes is sent again: %s', async (_, script, expected) => {
  const { seen, requests } = await send(expected.length, ...script);
  expect([seen, requests]).toEqual([expected, script.length]);
});

describe('no request is repeated after', () => {
  const html = { status: 200, body: '<html>' };
  const asHtml = { ...FERN, headers: { 'content-type': 'text/html' } };
  test.each<[string, Behavior, string]>([
    ...OF_ALL_LINES.map((error): [string, Behavior, string] => {
      return [`${error}`, refusal(error), `returns ${error}: Message ${error}.`];
    }),
    ['a web page', html, 'returns 50401: '],
    ['the plant as HTML', asHtml, 'returns 50401: '],
    ['a status of 404', { status: 404, body: '' }, 'returns 40000: '],
  ])('%s', async (_, behavior, sentence) => {
    const { url, seen, requests } = await send(1, behavior);
    expect([seen, requests]).toEqual([[expect.any(PlainError)], 1]);
    expect(String(seen[0])).toContain(`${url} ${sentence}`);
  });

  test('a refused connection', async () => {
    const url = 'http://127.0.0.1:9';
    const reason = new PlainError(`${url} cannot be reached (ECONNREFUSED).`);
    await expect(senderTo(url)(PLANT)).rejects.toThrow(reason);
  });
});
