import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PLANTS_KEY } from '../../infra/table-keys.ts';
import { NumberLiteral } from '../../lambda/json.ts';
import { typeOf } from '../../lambda/plant.ts';

// Not that of contract/key.ts, which reads the whole contract: 0.02 s at each start of a command.
const IS_NUMBER = PLANTS_KEY.type === 'N';
const PLAIN_DIGITS = /^(0|-?[1-9]\d*)$/;

/** What an id must be, for messages. */
export const ID = `${typeOf('id').mustBe}${IS_NUMBER ? ', in plain digits' : ''}`;

/** Whether a text is an id: of the type in openapi.yaml, and a number in plain digits. */
export function isId(text: string): boolean {
  const type = typeOf('id');
  if (IS_NUMBER && !PLAIN_DIGITS.test(text)) return false;
  try {
    type.read(IS_NUMBER ? new NumberLiteral(text) : text, { path: 'id' });
    return true;
  } catch {
    return false;
  }
}

/** The key of a plant in DynamoDB's own JSON. */
export function keyOf(id: string): { id: { N: string } | { S: string } } {
  return { id: IS_NUMBER ? { N: id } : { S: id } };
}

/** The id of an item. @returns undefined if it has none of this type: it is not of the table of plants */
export function idIn({ id }: Readonly<Record<string, AttributeValue>>): string | undefined {
  return IS_NUMBER ? id?.N : id?.S;
}
