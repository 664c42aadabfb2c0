import fc from 'fast-check';
import { anyJson, anyText, scalar, space, stringLiteral } from './json-texts.ts';
import { numberLiteral } from './number-texts.ts';

type Text = fc.Arbitrary<string>;

/** A valid or nearly valid property name of a plant. */
const key: Text = fc.oneof(
  { weight: 12, arbitrary: stringLiteral(fc.constantFrom('id', 'name', 'tag')) },
  {
    weight: 1,
    arbitrary: stringLiteral(fc.constantFrom('Id', 'name ', 'tags', '__proto__', 'constructor', '')),
  },
);

/** The value of a property: mostly of the right type. */
function valueUnder(literal: string): Text {
  const name = literal.startsWith('"') ? (JSON.parse(literal) as string) : '';
  const right = name === 'id' ? numberLiteral : stringLiteral(anyText);
  return fc.oneof(
    { weight: 9, arbitrary: right },
    { weight: 1, arbitrary: scalar },
    { weight: 1, arbitrary: anyJson },
  );
}

const member: Text = key.chain((literal) =>
  fc.tuple(space, space, valueUnder(literal)).map(([a, b, value]) => `${literal}${a}:${b}${value}`),
);

const ownMember = (name: string, value: Text) =>
  fc.tuple(value, space).map(([text, a]) => `"${name}"${a}:${text}`);

/** A valid or nearly valid NewPlant: properties missing, repeated, of other types, in any order. */
export const nearPlant: Text = fc
  .tuple(
    fc.option(ownMember('id', numberLiteral), { freq: 12, nil: undefined }),
    fc.option(ownMember('name', stringLiteral(anyText)), { freq: 12, nil: undefined }),
    fc.option(ownMember('tag', stringLiteral(anyText)), { freq: 2, nil: undefined }),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(member, { maxLength: 3 }) },
    ),
    fc.tuple(space, space, space, fc.nat()),
  )
  .map(([id, name, tag, more, [a, b, c, turn]]) => {
    const members = [id, name, tag, ...more].filter((each) => each !== undefined);
    const first = members.length > 0 ? turn % members.length : 0;
    return `${a}{${b}${[...members.slice(first), ...members.slice(0, first)].join(`${c},`)}${b}}${a}`;
  });
