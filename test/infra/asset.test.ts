import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STAGES } from '../../infra/stages.ts';
import { type EmbeddedStore, startEmbeddedStore } from '../../local/embedded-store.ts';
import { ensureTables, LOCAL_TABLES } from '../../local/tables.ts';
import { AccessTokenAdmin } from '../../tools/access-token-admin.ts';
import { deployedWithAsset, resources } from './deployed.ts';
import { startDeployedFunction } from './deployed-function.ts';
import { type StoreFault, startFaultyStore } from './faulty-store.ts';
import { matches } from './filter-pattern.ts';

const { deployed, asset } = deployedWithAsset(STAGES.prod);

/** The metrics that a line of the function's log adds to. */
function counted(line: string): string[] {
  return resources(deployed, 'AWS::Logs::MetricFilter')
    .filter(([, { Properties }]) => Properties.LogGroupName.Ref === 'FunctionLogsAE28C13D')
    .filter(([, { Properties }]) => matches(Properties.FilterPattern, line))
    .map(([, { Properties }]) => Properties.MetricTransformations[0].MetricName)
    .sort();
}

let store: EmbeddedStore;
let token: string;

beforeAll(async () => {
  store = await startEmbeddedStore({ accessKeyId: 'test' });
  const client = new DynamoDBClient({
    endpoint: store.endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  await ensureTables(client);
  const admin = new AccessTokenAdmin(DynamoDBDocumentClient.from(client), LOCAL_TABLES.accessTokens);
  ({ token } = await admin.issue('asset-test'));
  client.destroy();
});
afterAll(async () => {
  await store.close();
  rmSync(dirname(asset), { recursive: true });
});

/** A request as the REST API hands it to the function. */
function request(body: string, bearer = token) {
  const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' };
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  return {
    resource: '/plants',
    path: '/plants',
    httpMethod: 'POST',
    headers,
    multiValueHeaders,
    requestContext: {
      requestId: crypto.randomUUID(),
      path: '/prod/plants',
      stage: 'prod',
      httpMethod: 'POST',
    },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}

const ROSE = '{"id":9007199254740993,"name":"Rose","tag":"flower"}';

describe('the asset, run as Lambda runs it', () => {
  test('answers, logs one line for each request, and each line adds to the right metrics', async () => {
    const running = await startDeployedFunction(deployed, { asset, endpoint: store.endpoint });
    const answers = [];
    for (const event of [
      request(ROSE),
      request(ROSE),
      request('{}'),
      request(ROSE, `${token.slice(0, -1)}!`),
    ]) {
      const { statusCode, body } = await running.invoke(event);
      answers.push([statusCode, JSON.parse(body).error ?? body]);
    }
    await running.stop();
    expect(answers).toEqual([
      [200, '{"name":"Rose","tag":"flower"}'],
      [200, '{"name":"Rose","tag":"flower"}'],
      [400, 40002],
      [400, 40102],
    ]);
    const [first = '{}'] = running.lines;
    expect(JSON.parse(first)).toEqual({
      timestamp: expect.any(String),
      level: 'INFO',
      requestId: expect.stringMatching(/^lambda-/),
      message: {
        outcome: 'created',
        duration: expect.any(Number),
        token: 'asset-test',
        id: '9007199254740993',
        request: expect.any(String),
        version: '7',
        coldStart: true,
      },
    });
    expect(running.lines.map(counted)).toEqual([
      ['Answered', 'Created'],
      ['Answered', 'Created'],
      ['Answered'],
      ['Answered', 'RefusedTokens'],
    ]);
  });

  test.concurrent.each<[operation: string, fault: StoreFault, error: number, metric: string]>([
    ['GetItem', 'hangs', 50301, 'Unavailable'],
    ['PutItem', 'hangs', 50401, 'Faults'],
    ['GetItem', 'throttles', 42901, 'Throttled'],
    ['PutItem', 'throttles', 42901, 'Throttled'],
  ])('%s %s: %i, counted as %s', async (operation, fault, error, metric) => {
    const faulty = await startFaultyStore(store.endpoint, operation, fault);
    const running = await startDeployedFunction(deployed, { asset, endpoint: faulty.endpoint });
    const answer = await running.invoke(request(ROSE));
    await running.stop();
    faulty.close();
    expect([answer.statusCode, JSON.parse(answer.body).error]).toEqual([400, error]);
    expect(running.lines.map(counted)).toEqual([['Answered', metric].sort()]);
  });

  test('a missing table is a fault of ours', async () => {
    const running = await startDeployedFunction(deployed, {
      asset,
      endpoint: store.endpoint,
      tables: { PlantsF7D2F15D: 'Nowhere' },
    });
    const answer = await running.invoke(request(ROSE));
    await running.stop();
    expect(JSON.parse(answer.body).error).toBe(50001);
    expect(running.lines.map(counted)).toEqual([['Answered', 'Faults']]);
  });

  test('what Lambda itself writes about a crash adds to no metric, so that the request counts as not completed', () => {
    const crash = {
      timestamp: 't',
      level: 'ERROR',
      requestId: 'r',
      message: { errorType: 'Error', errorMessage: 'x' },
    };
    const report = { time: 't', type: 'platform.report', record: { status: 'timeout', error: 50401 } };
    expect([crash, report].map((line) => counted(JSON.stringify(line)))).toEqual([[], []]);
  });
});
