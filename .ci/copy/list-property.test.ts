import { expect, test } from 'vitest';
import { withListBy } from './list-property.ts';

const HOUSE = new Map([
  [
    'operations/list/openapi.yaml',
    '    List:\n      a: 1\n    NewPlant:\n      properties:\n        status:\n',
  ],
  [
    'operations/list/files/a.ts',
    "const LISTED_BY = 'status'; // 'by-status' {\n  readonly status: NewPlant['status'];\n  response.status;\n",
  ],
  ['lambda/a.ts', 'status'],
]);
/** The contract of a model with the id and one more property, which stands in line 7. */
const contract = (property: string) =>
  `components:\n  schemas:\n    Plant: {}\n    NewPlant:\n      properties:\n        id: { type: integer }\n        ${property}\n`;

test('the list of a model without the property adds it, and that of a model which has it does not', () => {
  expect(withListBy(HOUSE, contract('tag: { type: string }'))).toEqual(HOUSE);
  const texts = withListBy(HOUSE, contract('status: { type: string, enum: [a, b] }'));
  expect(texts.get('operations/list/openapi.yaml')).toBe('    List:\n      a: 1\n');
  expect(texts.get('operations/list/files/a.ts')).toBe(HOUSE.get('operations/list/files/a.ts'));
});

test.each([
  '{ type: integer }',
  '{ type: string, format: date }',
  '{ type: string, minLength: 1, maxLength: 512 }',
])('a list may be by a property of the model that is %s, whatever its name is', (schema) => {
  const texts = withListBy(HOUSE, contract(`'@first-name': ${schema}`), '@first-name');
  expect(Object.fromEntries(texts)).toEqual({
    'operations/list/openapi.yaml': '    List:\n      a: 1\n',
    'operations/list/files/a.ts':
      "const LISTED_BY = '@first-name'; // 'by--first-name' {\n  readonly '@first-name': NewPlant['@first-name'];\n  response.status;\n",
    'lambda/a.ts': 'status',
  });
});

test.each([
  [
    'status',
    '{ type: boolean }',
    'contract/openapi.yaml:7: status is of type boolean, which no index can hold',
  ],
  [
    'state',
    '{ type: string, maxLength: 9 }',
    'contract/openapi.yaml:7: state is a text that may be empty or long',
  ],
  [
    'state',
    '{ type: string, minLength: 1 }',
    'contract/openapi.yaml:7: state is a text that may be empty or long',
  ],
  ['page', '{ type: integer }', 'contract/openapi.yaml:7: page is another parameter of a list'],
])('a list by %s, which is %s, is refused', (name, schema, message) => {
  expect(() => withListBy(HOUSE, contract(`${name}: ${schema}`), name)).toThrow(message);
});

test('a list by a property that the model lacks is refused', () => {
  expect(() => withListBy(HOUSE, contract('tag: { type: string }'), 'state')).toThrow(
    'contract/openapi.yaml has no property state to list by: add it first.',
  );
});
