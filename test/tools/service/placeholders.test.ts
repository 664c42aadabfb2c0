import { expect, test } from 'vitest';
import { isToken } from '../../../tools/service/placeholders.ts';

const TOKEN = `plants_${'0'.repeat(43)}3HnMlu`;

test.each([
  ['a token', TOKEN, true],
  ['another checksum', `${TOKEN.slice(0, -1)}v`, false],
  ['a digit more, with its checksum', `plants_${'0'.repeat(44)}0AGPI7`, false],
  ['text before it', ` ${TOKEN}`, false],
  ['nothing', '', false],
])('whether a text is a token: %s', (_, text, expected) => {
  expect(isToken(text)).toBe(expected);
});
