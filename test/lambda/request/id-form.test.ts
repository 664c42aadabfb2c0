import { expect, test } from 'vitest';
import { NumberLiteral } from '../../../lambda/json.ts';
import { idFormOf } from '../../../lambda/request/id-form.ts';

test.each([
  ['1e+14', '100000000000000', 'exponent'],
  ['9.007199254741E15', '9007199254741000', 'exponent'],
  ['-100000000000003.0', '-100000000000003', 'fraction'],
  ['100000000000003', '100000000000003', undefined],
  ['1e13', '10000000000000', undefined],
])('%s, which is %s: %s', (text, id, form) => {
  expect(idFormOf(new NumberLiteral(text), id)).toBe(form);
});

test('a text has none', () => {
  expect(idFormOf('123456789012345e1', '123456789012345e1')).toBeUndefined();
});
