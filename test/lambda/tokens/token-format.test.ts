import { expect, test } from 'vitest';
import { withChecksum } from '../../../contract/tokens.ts';
import { formatToken, isTokenFormat } from '../../../lambda/tokens/token-format.ts';

// The Base62 was computed with Python's integers; `withChecksum` computes the CRC-32 without the service's code.
test.each([
  ['0', new Uint8Array(32), '0'.repeat(43)],
  ['1', new Uint8Array(32).fill(1, 31), `${'0'.repeat(42)}1`],
  ['the largest', new Uint8Array(32).fill(255), 'yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1'],
])('a token is a prefix, the secret in Base62 and a CRC-32 of both in Base62: %s', (_, secret, base62) => {
  const token = withChecksum(`plants_${base62}`);
  expect(formatToken(secret)).toBe(token);
  expect(isTokenFormat(token)).toBe(true);
});

test.each([
  withChecksum(`plants_${'0'.repeat(43)}`).replace('_0', '_1'),
  withChecksum(`plants_${'0'.repeat(42)}`),
  withChecksum(`plants_${'0'.repeat(44)}`),
  withChecksum(`plants-${'0'.repeat(43)}`),
  withChecksum(`xplants_${'0'.repeat(43)}`),
  '',
  `plants_${'é'.repeat(49)}`,
])('"%s" is not a token', (text) => {
  expect(isTokenFormat(text)).toBe(false);
});
