import { expect, test } from 'vitest';
import { errorAnswer, plantAnswer } from '../../../lambda/answer/answers.ts';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};
const PUBLISHED = { error: 40999, when: 'never', message: 'A sentence.' };

test.each([
  [{ id: 1n, name: 'Fern', tag: 'shade', note: 'secret' }, '{"name":"Fern","tag":"shade"}'],
  [{ name: '' }, '{"name":""}'],
])('a 200 contains only the name and, if there is one, the tag: %o', (plant, body) => {
  expect(plantAnswer(plant, 'request-1')).toStrictEqual({ statusCode: 200, headers: HEADERS, body });
});

test('a 400 has the number and the published message', () => {
  const body = '{"error":40999,"message":"A sentence."}';
  expect(errorAnswer(PUBLISHED, 'request-1')).toStrictEqual({ statusCode: 400, headers: HEADERS, body });
});

test('a more exact message replaces the published one; Retry-After and the challenge become headers', () => {
  const published = { ...PUBLISHED, retryAfter: 2, challenge: 'Bearer' };
  expect(errorAnswer(published, 'request-1', 'Another.')).toStrictEqual({
    statusCode: 400,
    headers: { ...HEADERS, 'retry-after': '2', 'www-authenticate': 'Bearer' },
    body: '{"error":40999,"message":"Another."}',
  });
});
