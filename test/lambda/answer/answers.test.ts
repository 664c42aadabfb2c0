import { describe, expect, test } from 'vitest';
import { errorAnswer, plantAnswer } from '../../../lambda/answer/answers.ts';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};

describe('the answer with a plant', () => {
  test('it holds name and tag, whatever else the object has', () => {
    const plant = { id: 1n, name: 'Fern', tag: 'shade', note: 'secret' };
    expect(plantAnswer(plant, 'request-1')).toEqual({
      statusCode: 200,
      headers: HEADERS,
      body: '{"name":"Fern","tag":"shade"}',
    });
  });

  test('a plant without a tag is answered without one', () => {
    expect(plantAnswer({ name: '' }, 'request-1').body).toBe('{"name":""}');
  });
});

describe('the answer with an error', () => {
  test('it holds the number and the published sentence, and is a 400', () => {
    expect(errorAnswer({ error: 40999, when: 'never', message: 'A sentence.' }, 'request-1')).toEqual({
      statusCode: 400,
      headers: HEADERS,
      body: '{"error":40999,"message":"A sentence."}',
    });
  });

  test('a more exact sentence takes the published one’s place', () => {
    const { body } = errorAnswer(
      { error: 40999, when: 'never', message: 'A sentence.' },
      'request-1',
      'Another.',
    );
    expect(body).toBe('{"error":40999,"message":"Another."}');
  });

  test('what the table says of repeating and of authentication goes into headers', () => {
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
