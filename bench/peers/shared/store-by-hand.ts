import { Agent, request } from 'node:https';
import { HOST, headersFor } from './signature-by-hand.ts';
import type { Store } from './store.ts';
import { getTokenInput, putPlantInput, tokenOf } from './wire-items.ts';

const agent = new Agent({ keepAlive: true });

function call(operation: string, input: object): Promise<{ status: number; body: string }> {
  const body = JSON.stringify(input);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: HOST, method: 'POST', agent, headers: headersFor(operation, body) },
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
