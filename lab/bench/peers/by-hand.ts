import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import { bareHandler } from './shared/operation.ts';
import { attributesOf, getToken, type Item, putPlant, type Store, tokenOf } from './shared/store.ts';

const { AWS_REGION: region = '', AWS_ACCESS_KEY_ID: keyId = '' } = process.env;
const { AWS_SECRET_ACCESS_KEY: secret = '', AWS_SESSION_TOKEN: session = '' } = process.env;
/** DynamoDB's hostname in the function's Region. */
const HOST = `dynamodb.${region}.amazonaws.com`;
const SIGNED = 'content-type;host;x-amz-date;x-amz-security-token;x-amz-target';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The headers of one call, signed (AWS Signature Version 4, "Create a signed AWS API request"). */
function headersFor(target: string, body: string): Record<string, string> {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/dynamodb/aws4_request`;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host: HOST,
    'x-amz-date': time,
    'x-amz-security-token': session,
    'x-amz-target': target,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = `POST\n/\n\n${lines.join('')}\n${SIGNED}\n${sha256(body)}`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`;
  const key = ['dynamodb', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, day), region));
  const authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${SIGNED}, Signature=${hmac(key, toSign).toString('hex')}`;
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
