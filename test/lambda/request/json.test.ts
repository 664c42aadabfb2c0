import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../lambda/errors.ts';
import { parseJson } from '../../../lambda/request/json.ts';

// The groups "JSON grammar", "properties given twice" and "depth" of contract/cases.yaml test what is accepted, and other messages;
// test/security/secrets.test.ts tests that no message quotes a body.

test.each([
  ['{"name":"🌱🌱","id":x}', 'The body is not valid JSON: there is an error at character 19.'],
  ['\ufeff{"id":1}', 'The body is not valid JSON: there is a byte order mark at character 1.'],
  // The group tests how many levels there may be.
  [`{"deep":${'['.repeat(1_000)}`, 'The body is nested too deep at character 1008.'],
  ['{"a":1, "a": 2}', 'The body gives a property a second time with a different value at character 14.'],
])('the message says where the JSON is broken, in characters that people count: %j', (text, message) => {
  const published = expect.objectContaining({ error: 40001 });
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ message, published }));
});

describe('against JSON.parse', () => {
  const space = fc.constantFrom('', ' ', '\n\t');
  const number = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][+-]?\d{1,4})?$/);
  const text = fc.string({ unit: 'grapheme' }).map((each) => JSON.stringify(each));
  const objectOf = (value: fc.Arbitrary<string>) =>
    fc.uniqueArray(fc.tuple(text, space, value), { maxLength: 4, selector: ([name]) => name });
  const written = (properties: readonly string[][]) =>
    `{${properties.map(([name, gap, value]) => `${gap}${name}${gap}:${gap}${value}${gap}`)}}`;
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(number, text, fc.constantFrom('true', 'false', 'null', '"\\u00e9\\ud83c"')),
      fc.array(tie('value'), { maxLength: 4 }).map((each) => `[${each}]`),
      objectOf(tie('value')).map(written),
    ),
  }));
  const object = objectOf(value);

  test('each property of an object keeps every character of its value', () => {
    const property = fc.property(object, (properties) => {
      const sent = properties.map(([name, , each]) => [JSON.parse(name), each]);
      expect([...(parseJson(written(properties)) ?? [])]).toEqual(sent);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('a text with one other character is accepted if JSON.parse accepts it, and refused if it does not', () => {
    const isAccepted = (parse: (text: string) => unknown, body: string) => {
      try {
        parse(body);
        return true;
      } catch (thrown) {
        // JSON.parse takes the last of two values, if what follows is JSON.
        fc.pre(!(thrown instanceof Failure && /a second time/.test(thrown.message)));
        return false;
      }
    };
    const other = fc.constantFrom('', ...'{}[]",:\\ \u0000\u001f\u00a0\ufeff0-+.eEuntrl/');
    const property = fc.property(object, fc.nat(), other, (properties, n, character) => {
      const body = written(properties);
      const at = n % body.length;
      const changed = body.slice(0, at) + character + body.slice(at + 1);
      expect([changed, isAccepted(parseJson, changed)]).toEqual([changed, isAccepted(JSON.parse, changed)]);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});
