import { type PropertyType, wrong } from './property-type.ts';

/**
 * A text that a regular expression of JSON Schema describes (Core §6.4), such as a postcode. The time that an expression takes may
 * grow fast with the length of a text, so longer ones are refused before.
 * @param mustBe what the text must be, for messages
 * @example pattern('^[A-Z]{2}\\d{4}$', 'a flight number such as LH0454', { maxLength: 6 })
 */
export function pattern(source: string, mustBe: string, limits: { maxLength: number }): PropertyType<string> {
  return matching(
    { type: 'string', pattern: source, ...limits },
    new RegExp(source, 'u'),
    mustBe,
    limits.maxLength,
  );
}

/** A text of a form: the rest of a type is the schema, and the sentence. @param maxLength in UTF-16 units, like the form's */
export function matching(
  schema: PropertyType<string>['schema'],
  form: RegExp,
  mustBe: string,
  maxLength: number,
): PropertyType<string> {
  return {
    schema,
    mustBe,
    read(value, place) {
      // A form may allow a lone surrogate, which has no UTF-8.
      if (typeof value !== 'string' || value.length > maxLength || !form.test(value) || !value.isWellFormed())
        throw wrong(place, mustBe);
      return value;
    },
    decode: (attribute) => attribute?.S,
  };
}
