import { Failure } from '../errors.ts';

// Tested by test/lambda/request/json.test.ts.

/** The failure for a text that is not JSON. @param at the index of the first character that is wrong */
export function notJson(text: string, at: number): Failure {
  if (text === '')
    return new Failure('INVALID_JSON', { message: 'The body is empty; it must be a JSON object.' });
  if (at >= text.length) return invalidJson('The body is not valid JSON: it ends too early', text, at);
  const what = text[at] === '\ufeff' ? 'a byte order mark' : 'an error';
  return invalidJson(`The body is not valid JSON: there is ${what}`, text, at);
}

/** The failure that says what is wrong with a text, and at which Unicode character, counted from 1. */
export function invalidJson(sentence: string, text: string, at: number): Failure {
  let number = 1;
  for (const _ of text.slice(0, at)) number += 1;
  return new Failure('INVALID_JSON', { message: `${sentence} at character ${number}.` });
}
