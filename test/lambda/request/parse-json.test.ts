import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, jsonOf, NumberLiteral } from '../../../lambda/json.ts';
import { parseJson } from '../../../lambda/request/parse-json.ts';

// The groups "JSON grammar", "properties given twice" and "depth" of contract/cases/create-plant.yaml test what is accepted, and other messages;
// test/security/secrets.test.ts tests that no message quotes a body.

const SECOND = 'gives a property a second time with a different value at character';

test.each([
  ['{"name":"🌱🌱","id":x}', 'is not valid JSON: there is an error at character 19.'],
  ['\ufeff{"id":1}', 'is not valid JSON: there is a byte order mark at character 1.'],
  // The group tests how many levels there may be.
  [`{"deep":${'['.repeat(1_000)}`, 'is nested too deep at character 1008.'],
  ['{"a":1, "a": 2}', `${SECOND} 14.`],
  ['{"🌱":[{},{"a":[1],"b":0,"a":[1.0]}]}', `${SECOND} 29.`],
  ['', 'is empty; it must be a JSON object.'],
])('the message says where the JSON is broken, in characters that people count: %j', (text, what) => {
  const published = expect.objectContaining({ error: 40001 });
  for (const [needed, subject] of [[undefined], [new Map(), 'The line']] as const) {
    const message = `${subject ?? 'The body'} ${what}`;
    expect(() => parseJson(text, needed, subject)).toThrow(expect.objectContaining({ message, published }));
  }
});

test('only the properties that are needed are built, and only with the levels that are needed', () => {
  const needed = new Map(Object.entries({ id: 0, name: 0, parts: 1 }));
  const body =
    '{"a":{"id":1},"id":-1e3,"name":[["x"]],"parts":[null,["y"],{"id":2}],"parts":[null,["y"],{"id":2}]}';
  const parts = [null, [], new Map()];
  const built = new Map<string, Json>(Object.entries({ id: new NumberLiteral('-1e3'), name: [], parts }));
  expect(parseJson(body, needed)).toEqual(built);
  expect(parseJson('[{"id":1}]', needed)).toEqual([]);
});

describe('against JSON.parse', () => {
  const space = fc.constantFrom('', ' ', '\n\t');
  const number = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][+-]?\d{1,4})?$/);
  const text = fc.string({ unit: 'grapheme' }).map((each) => JSON.stringify(each));
  type Properties = readonly (readonly [name: string, gap: string, value: string])[];
  const objectOf = (value: fc.Arbitrary<string>): fc.Arbitrary<Properties> =>
    fc.uniqueArray(fc.tuple(text, space, value), { maxLength: 4, selector: ([name]) => name });
  const written = (properties: Properties) =>
    `{${properties.map(([name, gap, value]) => `${gap}${name}${gap}:${gap}${value}${gap}`)}}`;
  const valueWith = (object: (value: fc.Arbitrary<string>) => fc.Arbitrary<string>) =>
    fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(number, text, fc.constantFrom('true', 'false', 'null', '"\\u00e9\\ud83c"')),
        fc
          .tuple(fc.array(tie('value'), { maxLength: 4 }), space)
          .map(([each, gap]) => `[${gap}${each.join(`${gap},`)}${gap}]`),
        object(tie('value')),
      ),
    })).value;
  const value = valueWith((each) => objectOf(each).map(written));
  const object = objectOf(value);

  test('a value is the same, and each number keeps every character', () => {
    const property = fc.property(object, (properties) => {
      const body = written(properties);
      const literals: string[] = [];
      const withDoubles = (each: Json): unknown => {
        if (each instanceof NumberLiteral) return literals.push(each.text) && Number(each.text);
        if (each instanceof Map) return new Map([...each].map(([name, part]) => [name, withDoubles(part)]));
        return Array.isArray(each) ? each.map(withDoubles) : each;
      };
      const parsed = parseJson(body);
      const asMaps = (_: string, each: unknown) =>
        typeof each === 'object' && each !== null && !Array.isArray(each)
          ? new Map(Object.entries(each))
          : each;
      // Maps keep the order, in which objects have names such as "1" first.
      expect(withDoubles(parsed)).toEqual(JSON.parse(body, asMaps));
      expect(literals).toEqual(withoutStrings(body).match(/-?\d[\d.eE+-]*/g) ?? []);
      expect(parseJson(jsonOf(parsed))).toEqual(parsed);
    });
    fc.assert(property, { numRuns: 300 });
  });

  const withoutStrings = (json: string) => json.replace(/"(?:[^"\\]|\\.)*"/g, '');
  const isAccepted = (parse: (text: string) => unknown, body: string) => {
    try {
      parse(body);
      return true;
    } catch {
      return false;
    }
  };

  test('a text with one other character is accepted if JSON.parse accepts it, and refused if it does not', () => {
    const other = fc.constantFrom('', ...'{}[]",:\\ \u0000\u001f\u00a0\ufeff0-+.eEuntrl/');
    const property = fc.property(object, fc.nat(), other, (properties, n, character) => {
      const body = written(properties);
      const at = n % body.length;
      const changed = body.slice(0, at) + character + body.slice(at + 1);
      fc.pre(!hasSecond(changed));
      for (const needed of [undefined, new Map()]) {
        const parse = (each: string) => parseJson(each, needed);
        expect([changed, isAccepted(parse, changed)]).toEqual([changed, isAccepted(JSON.parse, changed)]);
      }
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  /** Whether JSON.parse returns fewer properties than the text has: it takes the last of two values. */
  function hasSecond(json: string): boolean {
    let kept = 0;
    const count = (_: string, each: unknown) => {
      if (typeof each === 'object' && each !== null && !Array.isArray(each)) kept += Object.keys(each).length;
      return each;
    };
    return (
      isAccepted((each) => JSON.parse(each, count), json) &&
      kept < (withoutStrings(json).match(/:/g) ?? []).length
    );
  }

  test('a property that is given twice at any depth is accepted if both are written alike, or are equal strings', () => {
    const path = fc.array(fc.constantFrom('list', 'object'), { maxLength: 5 });
    const pair = fc.oneof(
      fc.tuple(value, value),
      value.map((each) => [each, each] as const),
    );
    const escaped = (json: string) =>
      json.startsWith('"')
        ? json.replace(/[a-z](?![^\\]*\\)/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
        : json;
    const property = fc.property(
      path,
      pair,
      fc.boolean(),
      objectOf(value),
      (steps, [first, second], asEscape, between) => {
        const one = asEscape ? escaped(second) : second;
        const others = between
          .filter(([name]) => JSON.parse(name) !== 'twice')
          .map(([name, , each]) => `${name}:${each},`);
        const twice = `{"twice": ${first} ,${others.join('')}"tw\\u0069ce":${one}}`;
        const body = steps.reduce(
          (inner, step) => (step === 'list' ? `[0,${inner}]` : `{"a":${inner},"b":1}`),
          twice,
        );
        const bothStrings = first.startsWith('"') && one.startsWith('"');
        const expected = first === one || (bothStrings && JSON.parse(first) === JSON.parse(one));
        for (const needed of [undefined, new Map()])
          expect([body, isAccepted((each) => parseJson(each, needed), body)]).toEqual([body, expected]);
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });
});
