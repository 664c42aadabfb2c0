import { isDeepStrictEqual } from 'node:util';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { plantEvent, type TestService } from '../support/test-service.ts';
import { stringLiteral } from './json-texts.ts';
import { integer } from './number-texts.ts';

const int64 = integer.filter((value) => BigInt.asIntN(64, value) === value);
// `binary` is every code point except surrogates, assigned or not.
const text = fc.string({ unit: 'binary', size: 'medium' });

/** A plant and one way to write it. */
const plant = fc
  .record({ id: int64.map(String), name: text, tag: text }, { requiredKeys: ['id', 'name'] })
  .chain((sent) =>
    fc
      .tuple(stringLiteral(fc.constant(sent.name)), stringLiteral(fc.constant(sent.tag ?? '')))
      .map(([name, tag]) => {
        const body = `{"id":${sent.id},"name":${name}${sent.tag === undefined ? '' : `,"tag":${tag}`}}`;
        return { sent, body };
      }),
  );

/** Any plant that is sent can be read from the table by an independent client, with every digit and byte correct. */
export function roundTrip({ client, handler, token, item }: TestService) {
  return fc.asyncProperty(plant, async ({ sent, body }) => {
    const key = { TableName: LOCAL_TABLES.plants, Key: { id: { N: sent.id } } };
    await client.send(new DeleteItemCommand(key));
    const answer = await handler(plantEvent(token, body));
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const stored = await item(sent.id);
    // Equal strings have the same UTF-16, and so the same UTF-8.
    if (!isDeepStrictEqual(stored, { ...sent })) throw new Error(`the table has ${JSON.stringify(stored)}`);
  });
}
