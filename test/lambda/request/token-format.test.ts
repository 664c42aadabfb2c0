import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { formatToken, isTokenFormat } from '../../../lambda/request/token-format.ts';

describe('the format of an access token', () => {
  test('a token is a prefix, a secret of 43 characters and a checksum of 6', () => {
    expect(formatToken(randomBytes(32))).toMatch(/^plants_[0-9A-Za-z]{49}$/);
  });

  test('the smallest and the largest secret fit and differ', () => {
    const smallest = formatToken(new Uint8Array(32));
    const largest = formatToken(new Uint8Array(32).fill(255));
    expect(smallest).toHaveLength(56);
    expect(largest).toHaveLength(56);
    expect(smallest.slice(0, 50)).toBe(`plants_${'0'.repeat(43)}`);
    expect(isTokenFormat(smallest)).toBe(true);
    expect(isTokenFormat(largest)).toBe(true);
  });

  test('a secret is a number in Base62', () => {
    // The checksum is by Python's zlib.
    const secret = Uint8Array.from({ length: 32 }, (_, index) => Number(index === 31));
    expect(formatToken(secret)).toBe(`plants_${'0'.repeat(42)}13b5DIq`);
  });

  test('the checksum is CRC-32 over everything before it, in Base62 as 0-9A-Za-z', () => {
    // CRC-32 of the 50 bytes, by Python's zlib: python3 -c 'import zlib; print(zlib.crc32(b"plants_"+b"0"*43))'
    let value = 0;
    for (const digit of formatToken(new Uint8Array(32)).slice(-6)) {
      value = value * 62 + '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit);
    }
    expect(value).toBe(3011361818);
  });

  test('every single mistyped character is detected', () => {
    const token = formatToken(randomBytes(32));
    for (let index = 0; index < token.length; index += 1) {
      const mistyped = token.slice(0, index) + (token[index] === 'x' ? 'y' : 'x') + token.slice(index + 1);
      expect(isTokenFormat(mistyped), mistyped).toBe(false);
    }
  });

  // The last two have a valid checksum, by Python's zlib.
  test.each([
    '',
    'plants_',
    'x'.repeat(56),
    `plants_${'é'.repeat(49)}`,
    `plants_${'0'.repeat(42)}0NTHPK`,
    `plantz_${'0'.repeat(43)}0DgX3p`,
  ])('"%s" is not a token', (text) => {
    expect(isTokenFormat(text)).toBe(false);
  });

  test('a token with other text around it is not a token', () => {
    const token = formatToken(randomBytes(32));
    for (const text of [` ${token}`, `${token} `, `${token}\n`, token.toUpperCase(), `${token}${token}`]) {
      expect(isTokenFormat(text), JSON.stringify(text)).toBe(false);
    }
  });
});
