import { NumberLiteral } from '../json.ts';
import { MAX_NUMBER_CHARACTERS } from '../limits.ts';
import { parseInt64 } from './int64.ts';
import { type PropertyType, wrong } from './property-type.ts';

/** An int64, within limits if there are any. */
export function integer(limits: { minimum?: number; maximum?: number } = {}): PropertyType<bigint> {
  const { minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n } = limits;
  const mustBe = `an integer from ${minimum} to ${maximum}`;
  return {
    schema: { type: 'integer', format: 'int64', ...limits },
    mustBe,
    read(sent, place) {
      if (!(sent instanceof NumberLiteral)) throw wrong(place, `${mustBe}, as a JSON number`);
      if (sent.text.length > MAX_NUMBER_CHARACTERS)
        throw wrong(place, `${mustBe}, written in at most ${MAX_NUMBER_CHARACTERS} characters`);
      const value = parseInt64(sent.text);
      if (value === 'fraction') throw wrong(place, `${mustBe}, without a fraction`);
      if (value === 'range' || value < minimum || value > maximum) throw wrong(place, mustBe);
      return value;
    },
    // By value: somebody may have written 7.0 or 1E+18.
    decode(attribute) {
      const value = parseInt64(attribute?.N ?? '');
      return typeof value === 'bigint' ? value : undefined;
    },
  };
}
