import { expect, test } from 'vitest';
import { IS_NUMBER, idOf } from '../../../contract/key.ts';
import { pathId } from '../../../lambda/request/path-id.ts';

const ROUTE = { method: 'GET', path: '/plants/{id}' };
const read = (text: string) => pathId(ROUTE, { path: `/plants/${encodeURIComponent(text)}` });
const ID = String(idOf(7));

test('the id in a path is read as the service writes it', () => {
  expect(String(read(ID))).toBe(ID);
});

// As a number with a fraction, or as a text with an escape of JSON, it would be the same id.
const OTHERWISE = IS_NUMBER ? '7.0' : `${ID.slice(0, -1)}\\u003${ID.at(-1)}`;
test.each([OTHERWISE, '"', '\u0000'])('an id that is written as %j is refused', (text) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ published: expect.objectContaining({ error: 40002 }) }),
  );
});
