import { describe, expect, test } from 'vitest';
import { errorAnswer, plantAnswer } from '../../../lambda/answer/answers.ts';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};

describe('the answer with a plant', () => {
  test('it contains only name and tag', () => {
    const plant = { id: 1n, name: 'Fern', tag: 'shade', note: 'secret' };
    expect(plantAnswer(plant, 'request-1')).toEqual({
      statusCode: 200,
      headers: HEADERS,
      body: '{"name":"Fern","tag":"shade"}',
    });
  });

  test('for a plant without a tag, it has no tag', () => {
    expect(plantAnswer({ name: '' }, 'request-1').body).toBe('{"name":""}');
  });
});

describe('the answer with an error', () => {
  test('it is a 400 with the number and the published message', () => {
    expect(errorAnswer({ error: 40999, when: 'never', message: 'A sentence.' }, 'request-1')).toStrictEqual({
      statusCode: 400,
      headers: HEADERS,
      body: '{"error":40999,"message":"A sentence."}',
    });
  });

  test('a more specific message replaces the published one', () => {
    const { body } = errorAnswer(
      { error: 40999, when: 'never', message: 'A sentence.' },
      'request-1',
      'Another.',
    );
    expect(body).toBe('{"error":40999,"message":"Another."}');
  });

  test('the table’s Retry-After and challenge become headers', () => {
    const published = {
      error: 40999,
      when: 'never',
      message: 'A sentence.',
      retryAfter: 2,
      challenge: 'Bearer',
    };
    expect(errorAnswer(published, 'request-1').headers).toEqual({
      ...HEADERS,
      'retry-after': '2',
      'www-authenticate': 'Bearer',
    });
  });
});
