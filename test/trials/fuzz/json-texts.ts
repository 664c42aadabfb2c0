import fc from 'fast-check';
import { numberLiteral } from './number-texts.ts';

/** Generates text by some grammar. */
type Text = fc.Arbitrary<string>;

/** Random JSON white space, mostly none. */
export const space: Text = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 }) },
);

/** Any text: well-formed Unicode, often short so that duplicates are likely, sometimes with a lone surrogate. */
export const anyText: Text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'Fern', 'fern', '\u0000', '\ufeff', '\u212b', '\u00c5', '𝒳') },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom('\ud83c', '\udf3f', 'a', '\\'), { maxLength: 4 })
      .map((units) => units.join('')),
  },
);

/** A text as a JSON string, with each character escaped or not at random. */
export function stringLiteral(text: Text): Text {
  return fc.tuple(text, fc.nat()).map(([value, dice]) => {
    let roll = dice;
    const characters = [...value].map((character) => {
      roll = (roll * 1_103_515_245 + 12_345) % 2_147_483_648;
      return roll % 5 === 0 ? escaped(character, roll % 2 === 0) : JSON.stringify(character).slice(1, -1);
    });
    return `"${characters.join('')}"`;
  });
}

function escaped(character: string, upper: boolean): string {
  const units = [...Array(character.length).keys()].map((index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  );
  return units.map((unit) => `\\u${upper ? unit.toUpperCase() : unit}`).join('');
}

/** A scalar value, or one of a few short arrays and objects. */
export const scalar: Text = fc.oneof(
  numberLiteral,
  stringLiteral(anyText),
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '"7"', '[{"a":1}]', '{"a":[1]}'),
);

/** Any JSON value, formatted differently from `JSON.stringify`, sometimes with duplicate properties. */
export const anyJson: Text = fc.letrec<{ value: string; members: string[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values}]`),
    tie('members').map((members) => `{${members}}`),
  ),
  members: fc.array(
    fc
      .tuple(stringLiteral(fc.constantFrom('a', 'b', '__proto__', 'id', '')), space, tie('value'), space)
      .map(([key, before, value, after]) => `${key}${before}:${after}${value}`),
    { maxLength: 4 },
  ),
})).value;

/** A text with one or two small defects. */
export function damaged(text: Text): Text {
  const accident = fc.tuple(
    fc.nat(),
    fc.constantFrom('', ...'"\\,:{}[]0-.e \u0000\ufeffé', '\ud800'),
    fc.nat({ max: 3 }),
  );
  return fc.tuple(text, fc.array(accident, { minLength: 1, maxLength: 2 })).map(([whole, accidents]) =>
    accidents.reduce((sofar, [at, put, cut]) => {
      const index = at % (sofar.length + 1);
      return sofar.slice(0, index) + put + sofar.slice(index + cut);
    }, whole),
  );
}

/** JSON tokens in random order. */
export const soup: Text = fc
  .array(fc.constantFrom(...'{}[]":,\\01-.e a\n', '\\u', 'true', 'null', '"id"'), { maxLength: 25 })
  .map((parts) => parts.join(''));
