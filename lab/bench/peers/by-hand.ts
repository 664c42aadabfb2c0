import { Agent, request } from 'node:https';
import { bareHandler } from './shared/operation.ts';
import { authorizationOf } from './shared/signature.ts';
import { attributesOf, getToken, type Item, putPlant, type Store, tokenOf } from './shared/store.ts';

const { AWS_REGION: region = '', AWS_ACCESS_KEY_ID: keyId = '' } = process.env;
const { AWS_SECRET_ACCESS_KEY: secret = '', AWS_SESSION_TOKEN: session = '' } = process.env;
/** DynamoDB's hostname in the function's Region. */
const HOST = `dynamodb.${region}.amazonaws.com`;

/** The headers of one call, signed. */
function headersFor(target: string, body: string): Record<string, string> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host: HOST,
    'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d{3}/g, ''),
    'x-amz-security-token': session,
    'x-amz-target': target,
  };
  const authorization = authorizationOf(headers, body, { keyId, secret, region });
  return { ...headers, authorization, 'content-length': String(Buffer.byteLength(body)) };
}

const agent = new Agent({ keepAlive: true });

/** @throws the store's error, with the item that has a taken id */
function call(operation: string, input: object): Promise<{ Item?: Item }> {
  const body = JSON.stringify(input);
  const headers = headersFor(`DynamoDB_20120810.${operation}`, body);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: HOST, method: 'POST', agent, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const output = JSON.parse(Buffer.concat(chunks).toString());
        if (incoming.statusCode === 200) resolve(output);
        else reject(Object.assign(new Error(output.__type), output));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const store: Store = {
  readToken: async (digest) => tokenOf((await call('GetItem', getToken({ S: digest }))).Item),
  putPlant: (plant) => call('PutItem', putPlant(attributesOf(plant))),
};

/** A lower limit: no framework and no SDK, only node:https and a hand-written signature; no retries, no timeouts. */
export const handler = bareHandler(store);
