/**
 * A stub of DynamoDB in a separate process, so that the figures exclude its work: HTTPS, the two calls of the
 * operation, and checksums like DynamoDB's. It refuses a call with a wrong signature.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { lambdaVariables } from '../../.ci/runtime/lambda-environment.ts';
import { KNOWN_TOKEN, TAKEN_ID } from './runtime/events.ts';
import { authorizationOf } from './signature.ts';

const [key = '', certificate = ''] = process.argv.slice(2);
const known = createHash('sha256').update(KNOWN_TOKEN).digest('hex');
/** Valid until the year 3000. */
const LIVE_TOKEN = { Item: { digest: { S: known }, name: { S: 'bench' }, expires: { N: '32503680000' } } };

const server = createServer(
  { key: readFileSync(key), cert: readFileSync(certificate) },
  async (request, response) => send(response, ...responseTo(request, await text(request))),
);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

/** As the function has it: none of these variables depends on the memory. */
const {
  AWS_ACCESS_KEY_ID: keyId,
  AWS_SECRET_ACCESS_KEY: secret,
  AWS_REGION: region,
} = lambdaVariables(Number.NaN);

function isSignedCorrectly({ headers }: IncomingMessage, body: string): boolean {
  const { authorization = '' } = headers;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  return authorization === authorizationOf(signed, body, { keyId, secret, region });
}

/** @returns the status and the content of its response */
function responseTo(request: IncomingMessage, body: string): [status: number, content: object] {
  if (!isSignedCorrectly(request, body))
    return [400, { __type: 'com.amazon.coral.service#InvalidSignatureException' }];
  const input = JSON.parse(body);
  if (String(request.headers['x-amz-target']).endsWith('.GetItem'))
    return [200, input.Key.digest.S === known ? LIVE_TOKEN : {}];
  if (input.Item.id.N !== String(TAKEN_ID)) return [200, {}];
  const __type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';
  return [
    400,
    { __type, message: 'The conditional request failed', Item: { ...input.Item, name: { S: 'Another' } } },
  ];
}

function send(response: ServerResponse, status: number, content: object): void {
  const body = Buffer.from(JSON.stringify(content));
  response.writeHead(status, {
    server: 'Server',
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    connection: 'keep-alive',
    'x-amzn-requestid': 'BENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCH',
    'x-amz-crc32': crc32(body),
  });
  response.end(body);
}

process.on('disconnect', () => process.exit());
