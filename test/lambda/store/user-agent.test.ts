import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { documentClient } from '../../../lambda/store/store.ts';

/** A store that accepts everything and records the User-Agent. */
async function startStore(): Promise<{ server: http.Server; userAgents: unknown[]; signed: string[] }> {
  const userAgents: unknown[] = [];
  const signed: string[] = [];
  const server = http.createServer(({ headers }, response) => {
    userAgents.push(headers['user-agent']);
    signed.push(/SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '');
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, userAgents, signed };
}

afterEach(() => vi.unstubAllEnvs());

test('every call has the User-Agent for CloudTrail and AWS support', async () => {
  const { server, userAgents, signed } = await startStore();
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local');
  const client = documentClient({
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  try {
    await client.send(new GetCommand({ TableName: 'AccessTokens', Key: { digest: 'd' } }));
    await client.send(new PutCommand({ TableName: 'Plants', Item: { id: 1n, name: 'Fern' } }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
  expect(userAgents).toEqual(['plant-store/1.0.0', 'plant-store/1.0.0']);
  // Not a signed header, because proxies may change it (AWS's signers omit it too).
  expect(signed.map((names) => names.split(';').includes('user-agent'))).toEqual([false, false]);
});

test('the client has no unneeded step, and only one signer', () => {
  const { config, middlewareStack } = documentClient();
  expect(middlewareStack.identify().filter((step) => /logger|recursion|userAgent/i.test(step))).toEqual([]);
  const scheme = { name: 'sigv4', signingName: 'dynamodb', signingRegion: 'local', properties: {} };
  expect(config.signer(scheme)).toBe(config.signer(scheme));
});
