import { NumberLiteral } from '../../../lambda/json.ts';
import { MAX_NUMBER_CHARACTERS } from '../../../lambda/limits.ts';
import { parseInt64 } from '../../../lambda/property-types/int64.ts';
import { type PropertyType, wrong } from '../../../lambda/property-types/property-type.ts';

/** A double returns as many digits as it got (C's DBL_DIG). More digits need a type of their own, over lib-dynamodb's NumberValue. */
export const DIGITS = 15;

/** A smaller number would be written with an exponent. */
export const MOST_PLACES = 6;

/**
 * A number with a fixed number of decimal places, such as an amount of money. It is a double of at most 15 digits, which is exact: what
 * a double would round is refused.
 * @throws RangeError if a number within the limits may have more digits
 */
export function decimal(limits: { places: number; minimum: number; maximum: number }): PropertyType<number> {
  const { places, minimum, maximum } = limits;
  const largest = 10 ** (DIGITS - places);
  if (places > MOST_PLACES || Math.max(-minimum, maximum) >= largest)
    throw new RangeError(
      `A decimal has at most ${DIGITS} digits, of which at most ${MOST_PLACES} are decimal places.`,
    );
  const mustBe = `a number from ${minimum} to ${maximum} with at most ${places} decimal places`;
  const exactly = (literal: string) =>
    typeof parseInt64(literal, places) === 'bigint' ? Number(literal) : Number.NaN;
  return {
    schema: { type: 'number', multipleOf: Number(`1e-${places}`), minimum, maximum },
    mustBe,
    read(sent, place) {
      const literal = sent instanceof NumberLiteral ? sent.text : '';
      const value = literal.length > MAX_NUMBER_CHARACTERS ? Number.NaN : exactly(literal);
      if (!(value >= minimum && value <= maximum)) throw wrong(place, mustBe);
      return value;
    },
    decode(attribute) {
      const value = exactly(attribute?.N ?? '');
      return Math.abs(value) < largest ? value : undefined;
    },
  };
}
