import { Agent, request } from 'node:https';
import { bareHandler } from './shared/bare.ts';
import { HOST, headersFor } from './shared/signature-by-hand.ts';
import { getTokenInput, isSame, putPlantInput, type Store, tokenOf } from './shared/store.ts';

const agent = new Agent({ keepAlive: true });

function call(operation: string, input: object): Promise<{ status: number; body: string }> {
  const body = JSON.stringify(input);
  const headers = headersFor(`DynamoDB_20120810.${operation}`, body);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: HOST, method: 'POST', agent, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const store: Store = {
  async readToken(digest) {
    const { status, body } = await call('GetItem', getTokenInput(digest));
    if (status !== 200) throw new Error(`GetItem ${status}`);
    return tokenOf(JSON.parse(body).Item);
  },
  async createPlant(plant) {
    const { status, body } = await call('PutItem', putPlantInput(plant));
    if (status === 200) return true;
    if (body.includes('ConditionalCheckFailedException')) return isSame(plant, JSON.parse(body).Item);
    throw new Error(`PutItem ${status}`);
  },
};

/** A lower limit: no framework and no SDK, only node:https and a hand-written signature; no retries, no timeouts. */
export const handler = bareHandler(store);
