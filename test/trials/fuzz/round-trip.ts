import { isDeepStrictEqual } from 'node:util';
import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { LOCAL_TABLES } from '../../../local/tables.ts';
import { plantEvent, type TestService } from '../../support/test-service.ts';
import { stringLiteral } from './json-texts.ts';
import { integer } from './number-texts.ts';

const int64 = integer.filter((value) => BigInt.asIntN(64, value) === value);
// `binary` is every code point except surrogates, assigned or not.
const text = fc.string({ unit: 'binary', size: 'medium' });

/** A plant and one way to write it. */
const plant = fc
  .record({ id: int64, name: text, tag: fc.option(text, { nil: undefined }) })
  .chain(({ id, name, tag }) =>
    fc
      .tuple(stringLiteral(fc.constant(name)), stringLiteral(fc.constant(tag ?? '')))
      .map(([nameText, tagText]) => {
        const body = `{"id":${id},"name":${nameText}${tag === undefined ? '' : `,"tag":${tagText}`}}`;
        return { id: String(id), name, tag, body };
      }),
  );

/**
 * Any plant that is sent can be read from the table by an independent client, with every digit and byte correct.
 */
export function roundTrip({ client, handler, token }: TestService) {
  return fc.asyncProperty(plant, async ({ id, name, tag, body }) => {
    const key = { TableName: LOCAL_TABLES.plants, Key: { id: { N: id } } };
    await client.send(new DeleteItemCommand(key));
    const answer = await handler(plantEvent(token, body));
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const { Item: item } = await client.send(new GetItemCommand({ ...key, ConsistentRead: true }));
    const expected = { id: { N: id }, name: { S: name }, ...(tag === undefined ? {} : { tag: { S: tag } }) };
    // Equal strings have the same UTF-16, and so the same UTF-8.
    if (!isDeepStrictEqual(item, expected)) throw new Error(`the table has ${JSON.stringify(item)}`);
  });
}
