import { type PropertyType, wrong } from '../../../lambda/property-types/property-type.ts';

/**
 * A text that a regular expression of JSON Schema describes (Core §6.4), such as a postcode. The time that an expression takes may
 * grow fast with the length of a text, so longer ones are refused before.
 * @param mustBe what the text must be, for messages
 * @example pattern('^[A-Z]{2}\\d{4}$', 'a flight number such as LH0454', { maxLength: 6 })
 */
export function pattern(source: string, mustBe: string, limits: { maxLength: number }): PropertyType<string> {
  const form = new RegExp(source, 'u');
  return textOf({ pattern: source, ...limits }, mustBe, (value) => {
    // In UTF-16 units, like the expression's.
    return value.length <= limits.maxLength && form.test(value);
  });
}

/** A text of a form: the rest of a type is what the schema says of it, and the sentence. */
export function textOf(
  keywords: object,
  mustBe: string,
  hasForm: (value: string) => boolean,
): PropertyType<string> {
  return {
    schema: { type: 'string', ...keywords },
    mustBe,
    read(value, place) {
      // A form may allow a lone surrogate, which has no UTF-8.
      if (typeof value !== 'string' || !hasForm(value) || !value.isWellFormed()) throw wrong(place, mustBe);
      return value;
    },
    decode: (attribute) => attribute?.S,
  };
}
