import { type PropertyType, wrong } from './property-type.ts';

/** A text. Its length counts code points, as in JSON Schema (Validation §6.3.1), not UTF-16 units. */
export function text(limits: { minLength?: number; maxLength?: number } = {}): PropertyType<string> {
  const { minLength = 0, maxLength = Infinity } = limits;
  const mustBe = `a string${lengths(minLength, maxLength)}`;
  return {
    schema: { type: 'string', ...limits },
    mustBe,
    read(value, place) {
      if (typeof value !== 'string') throw wrong(place, mustBe);
      // A lone surrogate has no UTF-8 form, so it could be neither stored nor sent back.
      if (!value.isWellFormed()) throw wrong(place, 'Unicode text without an unpaired surrogate');
      // A code point has one or two UTF-16 units.
      if (value.length > maxLength || value.length < 2 * minLength) {
        const { length } = [...value];
        if (length < minLength || length > maxLength) throw wrong(place, mustBe);
      }
      return value;
    },
    decode: (attribute) => attribute?.S,
  };
}

function lengths(least: number, most: number): string {
  if (most === Infinity) return least === 0 ? '' : ` of at least ${least} characters`;
  return least === 0 ? ` of at most ${most} characters` : ` of ${least} to ${most} characters`;
}
