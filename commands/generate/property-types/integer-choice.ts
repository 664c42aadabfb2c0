import { NumberLiteral } from '../../../lambda/json.ts';
import { MAX_NUMBER_CHARACTERS } from '../../../lambda/limits.ts';
import { parseInt64 } from '../../../lambda/property-types/int64.ts';
import { type PropertyType, wrong } from '../../../lambda/property-types/property-type.ts';

/** So many characters of values fit into a message. */
const SHOWN = 100;

/**
 * One of some integers.
 * @example integerChoice(100, 200)
 */
export function integerChoice(...values: readonly number[]): PropertyType<bigint> {
  const listed = values.join(', ');
  const mustBe =
    listed.length <= SHOWN ? `one of ${listed}` : `one of the ${values.length} integers in the contract`;
  const find = (literal: string) => {
    const value = parseInt64(literal);
    return values.map(BigInt).find((each) => each === value);
  };
  return {
    schema: { type: 'integer', format: 'int64', enum: values },
    mustBe,
    read(sent, place) {
      const literal = sent instanceof NumberLiteral ? sent.text : '';
      const found = literal.length > MAX_NUMBER_CHARACTERS ? undefined : find(literal);
      if (found === undefined) throw wrong(place, mustBe);
      return found;
    },
    decode: (attribute) => find(attribute?.N ?? ''),
  };
}
