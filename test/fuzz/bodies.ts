import fc from 'fast-check';
import type { KindName } from '../../lambda/kinds.ts';
import { PROPERTIES, PROPERTY_NAMES } from '../../lambda/plant.ts';
import {
  anyJson,
  anyText,
  damaged,
  numberLiteral,
  scalar,
  soup,
  space,
  stringLiteral,
  type Text,
} from './json-texts.ts';

function property(value: Text, ...names: string[]): Text {
  return fc
    .tuple(stringLiteral(fc.constantFrom(...names)), space, space, value)
    .map(([key, before, after, text]) => `${key}${before}:${after}${text}`);
}

const VALUES = {
  id: numberLiteral,
  text: stringLiteral(anyText),
} satisfies Record<KindName, Text>;
const properties = PROPERTY_NAMES.map((name) => ({
  member: property(VALUES[PROPERTIES[name].kind], name),
  freq: PROPERTIES[name].required ? 12 : 2,
}));
const others = [...PROPERTY_NAMES, 'Id', 'name ', 'tags', '__proto__', 'constructor', ''];
const other = property(fc.oneof(scalar, anyJson), ...others);

/** A valid or nearly valid NewPlant: properties missing, repeated, of other types, in any order. */
const nearPlant: Text = fc
  .tuple(
    fc.tuple(...properties.map(({ member, freq }) => fc.option(member, { freq, nil: undefined }))),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.array(fc.oneof(...properties.map(({ member }) => member), other), { maxLength: 3 }),
      },
    ),
    fc.tuple(space, space, space, fc.nat()),
  )
  .map(([given, more, [a, b, c, turn]]) => {
    const members = [...given, ...more].filter((each) => each !== undefined);
    const first = members.length > 0 ? turn % members.length : 0;
    return `${a}{${b}${[...members.slice(first), ...members.slice(0, first)].join(`${c},`)}${b}}${a}`;
  });

/** Any bytes, and plants with invalid UTF-8. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
  fc.tuple(nearPlant, fc.nat(), fc.nat({ max: 255 })).map(([text, at, byte]) => {
    const buffer = Buffer.from(text);
    buffer[at % Math.max(1, buffer.length)] = byte;
    return buffer;
  }),
);

/** The kinds of bodies, and their shares of a run. */
export const BODIES: readonly { name: string; share: number; bodies: fc.Arbitrary<string | Buffer> }[] = [
  { name: 'valid and nearly valid plants', share: 0.5, bodies: nearPlant },
  { name: 'plants with small defects', share: 0.25, bodies: damaged(nearPlant) },
  { name: 'any JSON', share: 0.1, bodies: anyJson },
  { name: 'text that resembles JSON', share: 0.1, bodies: fc.oneof(soup, damaged(anyJson)) },
  { name: 'any bytes', share: 0.05, bodies: bytes },
];
