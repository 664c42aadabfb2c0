import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { Store } from './store.ts';
import { getTokenInput, putPlantInput, tokenOf } from './wire-items.ts';

const { AWS_REGION: region = '', AWS_ACCESS_KEY_ID: keyId = '' } = process.env;
const { AWS_SECRET_ACCESS_KEY: secret = '', AWS_SESSION_TOKEN: session = '' } = process.env;
const host = `dynamodb.${region}.amazonaws.com`;
const agent = new Agent({ keepAlive: true });
const SIGNED = 'content-type;host;x-amz-date;x-amz-security-token;x-amz-target';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Signs one call (AWS Signature Version 4, "Create a signed AWS API request"). */
function headersFor(target: string, body: string): Record<string, string> {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/dynamodb/aws4_request`;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host,
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

function call(operation: string, input: object): Promise<{ status: number; body: string }> {
  const body = JSON.stringify(input);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host, method: 'POST', agent, headers: headersFor(operation, body) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** DynamoDB over node:https, signed by hand: no retries, no time-outs, no other source of credentials. */
export const store: Store = {
  async readToken(digest) {
    const { status, body } = await call('DynamoDB_20120810.GetItem', getTokenInput(digest));
    if (status !== 200) throw new Error(`GetItem ${status}`);
    return tokenOf(JSON.parse(body).Item);
  },
  async createPlant(plant) {
    const { status, body } = await call('DynamoDB_20120810.PutItem', putPlantInput(plant));
    if (status === 200) return true;
    if (body.includes('ConditionalCheckFailedException')) return false;
    throw new Error(`PutItem ${status}`);
  },
};
