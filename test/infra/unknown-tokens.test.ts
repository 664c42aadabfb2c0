import { randomBytes } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findStage } from '../../infra/find-stage.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { AccessTokenAdmin } from '../../operate/access-tokens/access-token-admin.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';
import { metricsOf } from './filter-pattern.ts';
import { copyOf, resources } from './synth.ts';

const DAY_MS = 86_400_000;
const PROD = copyOf(findStage('prod'));
const [ALARM] = resources(PROD, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) =>
  Properties.AlarmName.endsWith('-UnknownTokens') ? [Properties] : [],
);

let now = Date.now();
const service = await startTestService({ now: () => now });
const { lines, admin } = service;
const store = DynamoDBDocumentClient.from(service.client);
const TableName = LOCAL_TABLES.accessTokens;
const shop = (await admin.issue('shop')).token;
const garden = (await admin.issue('garden')).token;
const yesterday = new AccessTokenAdmin(store, TableName, { now: () => now - 2 * DAY_MS });
const expired = (await yesterday.issue('yesterday', 1)).token;
afterAll(() => service.close());
beforeEach(() => {
  lines.length = 0;
});

const send = (token: string, body = '{"id":1,"name":"Fern"}') => service.handler(plantEvent(token, body));
/** A token that anybody who knows the format can make. */
const guess = () => formatToken(randomBytes(32));

/** Whether the requests since the start of the test, if sent in five minutes, reach the alarm's threshold. */
function reachesThreshold(): boolean {
  const counted = lines.flatMap((message) => metricsOf(PROD, 'FunctionLogs', JSON.stringify({ message })));
  const values: Record<string, unknown> = {
    IF: (is: boolean, one: number, other: number) => (is ? one : other),
  };
  for (const { Id, MetricStat } of ALARM.Metrics.slice(1))
    values[Id] = counted.filter((name) => name === MetricStat.Metric.MetricName).length;
  return runInNewContext(ALARM.Metrics[0].Expression, values) >= ALARM.Threshold;
}

describe('what counts for the alarm UnknownTokens, in each of its periods', () => {
  test.each<[who: string, reaches: boolean, requests: () => Promise<unknown>[]]>([
    [
      'a stranger while no client sends anything',
      true,
      () => [guess(), guess(), guess()].map((token) => send(token)),
    ],
    ['too few requests to tell', false, () => [guess(), guess()].map((token) => send(token))],
    ['a scanner that does not know the format', false, () => Array.from({ length: 50 }, () => send('admin'))],
    ['a client whose token has expired', false, () => Array.from({ length: 50 }, () => send(expired))],
    [
      'a stranger, and one plant that is stored',
      false,
      () => [...Array.from({ length: 50 }, () => send(guess())), send(shop)],
    ],
    [
      'a stranger, and one invalid plant with a valid token',
      false,
      () => [...Array.from({ length: 50 }, () => send(guess())), send(shop, '{}')],
    ],
  ])('%s: %s', async (_, reaches, requests) => {
    await Promise.all(requests());
    expect(reachesThreshold()).toBe(reaches);
  });
});

test('if the token table is emptied, all clients set it off, and only restored items bring them back', async () => {
  const statuses = async () =>
    (await Promise.all([shop, garden, shop].map((token) => send(token)))).map(({ statusCode }) => statusCode);
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(reachesThreshold()).toBe(false);

  const { Items: items = [] } = await store.send(new ScanCommand({ TableName }));
  for (const { digest } of items) await store.send(new DeleteCommand({ TableName, Key: { digest } }));
  // The function has forgotten the tokens after a minute.
  now += 60_000;
  lines.length = 0;
  expect(await statuses()).toEqual([400, 400, 400]);
  expect(lines.map(({ fault }) => fault)).toEqual(Array(3).fill('unknown token'));
  expect(reachesThreshold()).toBe(true);
  expect((await admin.list()).tokens).toEqual([]);

  // A new token helps only the one who gets it.
  await admin.issue('first');
  expect(await statuses()).toEqual([400, 400, 400]);

  for (const item of items) await store.send(new PutCommand({ TableName, Item: item }));
  lines.length = 0;
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(reachesThreshold()).toBe(false);
});

test('the response to a refused token is the same to the byte, whatever the reason in the log', async () => {
  const responses = [await send('plants_guess'), await send(guess()), await send(expired)];
  expect(lines.map(({ fault }) => fault)).toEqual(['malformed token', 'unknown token', 'expired token']);
  const same = {
    statusCode: 400,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'request-1',
      'www-authenticate': 'Bearer realm="plant-store", error="invalid_token"',
    },
    body: '{"error":40102,"message":"The access token is not valid; check it for typos or ask the operator for a new one."}',
  };
  expect(responses.map((response) => JSON.stringify(response))).toEqual(Array(3).fill(JSON.stringify(same)));
});
