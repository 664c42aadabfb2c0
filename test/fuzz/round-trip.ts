import { isDeepStrictEqual } from 'node:util';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { plantEvent, type TestService } from '../support/test-service.ts';
import { stringLiteral } from './json-texts.ts';
import { integer } from './number-texts.ts';
import { REQUIRED_TEXTS, TEXTS } from './schema.ts';

const int64 = integer.filter((value) => BigInt.asIntN(64, value) === value);
// `binary` is every code point except surrogates, assigned or not.
const text = fc.string({ unit: 'binary', size: 'medium' });

/** A plant and one way to write it. */
export const plant = fc
  .record(Object.fromEntries(TEXTS.map((name) => [name, text])), { requiredKeys: REQUIRED_TEXTS })
  .chain((texts: Readonly<Record<string, string>>) => {
    const written = Object.entries(texts).map(([name, each]) =>
      stringLiteral(fc.constant(each)).map((literal) => `"${name}":${literal}`),
    );
    return fc.tuple(int64.map(String), ...written).map(([id, ...members]) => ({
      sent: { id, ...texts },
      body: `{${[`"id":${id}`, ...members].join()}}`,
    }));
  });

/** Any plant that is sent can be read from the table by an independent client, with every digit and byte correct. */
export function roundTrip({ client, handler, token, item }: TestService) {
  return fc.asyncProperty(plant, async ({ sent, body }) => {
    const key = { TableName: LOCAL_TABLES.plants, Key: { id: { N: sent.id } } };
    await client.send(new DeleteItemCommand(key));
    const response = await handler(plantEvent(token, body));
    if (response.statusCode !== 200) throw new Error(response.body);
    const stored = await item(sent.id);
    // Equal strings have the same UTF-16, and so the same UTF-8.
    if (!isDeepStrictEqual(stored, { ...sent })) throw new Error(`the table has ${JSON.stringify(stored)}`);
  });
}
