import { expect, test } from 'vitest';
import { formatToken, isTokenFormat } from '../../../lambda/store/token-format.ts';

// The expected tokens were computed with Python's zlib and integers.
test.each([
  ['0', new Uint8Array(32), `plants_${'0'.repeat(43)}3HnMlu`],
  ['1', new Uint8Array(32).fill(1, 31), `plants_${'0'.repeat(42)}13b5DIq`],
  ['the largest', new Uint8Array(32).fill(255), 'plants_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10SKEN0'],
])('a token is a prefix, the secret in Base62 and a CRC-32 of both in Base62: %s', (_, secret, token) => {
  expect(formatToken(secret)).toBe(token);
  expect(isTokenFormat(token)).toBe(true);
});

test('every single mistyped character is detected', () => {
  const token = formatToken(new Uint8Array(32).fill(255));
  for (let index = 0; index < token.length; index += 1) {
    const mistyped = token.slice(0, index) + (token[index] === 'x' ? 'y' : 'x') + token.slice(index + 1);
    expect(isTokenFormat(mistyped), mistyped).toBe(false);
  }
});

// The first four have a valid checksum, computed with Python's zlib.
test.each([
  `plants_${'0'.repeat(42)}0NTHPK`,
  `plants_${'0'.repeat(44)}0AGPI7`,
  `plantz_${'0'.repeat(43)}0DgX3p`,
  `xplants_${'0'.repeat(43)}0Bo1V4`,
  '',
  `plants_${'é'.repeat(49)}`,
])('"%s" is not a token', (text) => {
  expect(isTokenFormat(text)).toBe(false);
});
