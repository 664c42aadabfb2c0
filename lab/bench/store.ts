import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { lambdaVariables } from '../../.ci/runtime/lambda-environment.ts';
import { KNOWN_TOKEN, TAKEN_ID } from './runtime/events.ts';
import { STORE_HOST } from './runtime/network.ts';

const known = createHash('sha256').update(KNOWN_TOKEN).digest('hex');
/** Valid until the year 3000. */
const LIVE_TOKEN = { Item: { digest: { S: known }, name: { S: 'bench' }, expires: { N: '32503680000' } } };

/** A stub of DynamoDB: HTTPS, the two calls of the operation, and checksums like DynamoDB's. It refuses a call with a wrong signature. */
export function createStore(certificate: { readonly key: string; readonly cert: string }) {
  const server = createServer(certificate, async (request, response) => {
    const body = await text(request);
    if (await isSignedCorrectly(request, body)) send(response, ...responseTo(request, body));
    else send(response, 400, { __type: 'com.amazon.coral.service#InvalidSignatureException' });
  });
  server.keepAliveTimeout = 60_000;
  return server;
}

/** As the function has it: none of these variables depends on the memory. */
const variables = lambdaVariables(Number.NaN);
const { config } = new DynamoDBClient({
  region: variables.AWS_REGION,
  credentials: {
    accessKeyId: variables.AWS_ACCESS_KEY_ID,
    secretAccessKey: variables.AWS_SECRET_ACCESS_KEY,
    sessionToken: variables.AWS_SESSION_TOKEN,
  },
});

/** Whether the SDK, with all its defaults, signs the request alike. */
async function isSignedCorrectly(request: IncomingMessage, body: string): Promise<boolean> {
  const { authorization = '' } = request.headers;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
  const time = String(headers['x-amz-date']).replace(/(....)(..)(.....)(..)/, '$1-$2-$3:$4:');
  const signer = await config.signer();
  const toSign = {
    method: 'POST',
    protocol: 'https:',
    hostname: STORE_HOST,
    path: '/',
    query: {},
    headers,
    body,
  };
  const signed = await signer.sign(toSign, { signingDate: new Date(time) });
  return signed.headers.authorization === authorization;
}

/** @returns the status and the content of its response */
function responseTo(request: IncomingMessage, body: string): [status: number, content: object] {
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
