import fc from 'fast-check';
import { OPTIONAL, TEXTS } from '../support/properties.ts';
import { anyJson, anyText, numberLiteral, scalar, space, stringLiteral, type Text } from './json-texts.ts';

function property(value: Text, ...names: string[]): Text {
  return fc
    .tuple(stringLiteral(fc.constantFrom(...names)), space, space, value)
    .map(([key, before, after, text]) => `${key}${before}:${after}${text}`);
}

const text = stringLiteral(anyText);
const id = property(numberLiteral, 'id');
const texts = TEXTS.map((name) => ({
  text: property(text, name),
  freq: OPTIONAL.includes(name) ? 2 : 12,
}));
const others = ['id', ...TEXTS, 'Id', 'name ', 'tags', '__proto__', 'constructor', ''];
const other = property(fc.oneof(scalar, anyJson), ...others);

/** A valid or nearly valid NewPlant: properties missing, repeated, of other types, in any order. */
export const nearPlant: Text = fc
  .tuple(
    fc.option(id, { freq: 12, nil: undefined }),
    fc.tuple(...texts.map(({ text, freq }) => fc.option(text, { freq, nil: undefined }))),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.array(fc.oneof(id, ...texts.map(({ text }) => text), other), { maxLength: 3 }),
      },
    ),
    fc.tuple(space, space, space, fc.nat()),
  )
  .map(([id, given, more, [a, b, c, turn]]) => {
    const members = [id, ...given, ...more].filter((each) => each !== undefined);
    const first = members.length > 0 ? turn % members.length : 0;
    return `${a}{${b}${[...members.slice(first), ...members.slice(0, first)].join(`${c},`)}${b}}${a}`;
  });
