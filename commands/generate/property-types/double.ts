import { NumberLiteral } from '../../../lambda/json.ts';
import { MAX_NUMBER_CHARACTERS } from '../../../lambda/limits.ts';
import { withoutZeros } from '../../../lambda/property-types/int64.ts';
import { type PropertyType, wrong } from '../../../lambda/property-types/property-type.ts';

/** A number of DynamoDB is 0, or within these limits, whatever its sign (developer guide, "Quotas"). */
const LEAST = 1e-130;
const TOO_LARGE = 1e126;

const LITERAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * A double, such as a coordinate or a measured value. What is accepted has the value of the shortest decimal form of a double, however it
 * is written: 1.50 is 1.5. Any other number would come back as another one.
 */
export function double(
  limits: { minimum?: number; maximum?: number; format?: string } = {},
): PropertyType<number> {
  const { minimum = -Infinity, maximum = Infinity } = limits;
  const least = minimum === -Infinity ? '' : ` from ${minimum}`;
  const most = maximum === Infinity ? '' : `${least === '' ? ' up' : ''} to ${maximum}`;
  const mustBe = `a number${least}${most}`;
  return {
    schema: { type: 'number', ...limits },
    mustBe,
    read(sent, place) {
      if (!(sent instanceof NumberLiteral)) throw wrong(place, `${mustBe}, as a JSON number`);
      const value = sent.text.length > MAX_NUMBER_CHARACTERS ? undefined : exactDouble(sent.text);
      if (value === undefined)
        throw wrong(place, `${mustBe}, in the shortest digits of a double that is 0 or ±1e-130 to ±1e126`);
      if (value < minimum || value > maximum) throw wrong(place, mustBe);
      return value;
    },
    decode: (attribute) => exactDouble(attribute?.N ?? ''),
  };
}

/** The double whose shortest form has the value of a literal. @returns undefined if there is none in the range of DynamoDB */
function exactDouble(literal: string): number | undefined {
  const value = Number(literal);
  const size = Math.abs(value);
  if (size >= TOO_LARGE || (size < LEAST && size > 0)) return undefined;
  // No minus zero.
  return digitsOf(literal) === digitsOf(String(value)) ? value || 0 : undefined;
}

/** The digits of a number and where its decimal point is: the same for all literals of a value, but for its sign. */
function digitsOf(literal: string): string | undefined {
  const parts = LITERAL.exec(literal);
  if (!parts) return undefined;
  const [, whole, fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutZeros(digits);
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === '' ? '0' : `${significant}e${power}`;
}
