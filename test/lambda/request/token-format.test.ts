import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { formatToken, isTokenFormat } from '../../../lambda/request/token-format.ts';

describe('the format of an access token', () => {
  test('a token is its prefix, 43 characters of secret and 6 of checksum', () => {
    expect(formatToken(randomBytes(32))).toMatch(/^plants_[0-9A-Za-z]{49}$/);
  });

  test('the smallest and the largest secret fit and are told apart', () => {
    const smallest = formatToken(new Uint8Array(32));
    const largest = formatToken(new Uint8Array(32).fill(255));
    expect(smallest).toHaveLength(56);
    expect(largest).toHaveLength(56);
    expect(smallest.slice(0, 50)).toBe(`plants_${'0'.repeat(43)}`);
    expect(isTokenFormat(smallest)).toBe(true);
    expect(isTokenFormat(largest)).toBe(true);
  });

  test('the checksum is CRC-32 over everything before it, in Base62 as 0-9A-Za-z', () => {
    // CRC-32 of the 50 bytes, worked out by zlib elsewhere: python3 -c 'import zlib; print(zlib.crc32(b"plants_"+b"0"*43))'
    let value = 0;
    for (const digit of formatToken(new Uint8Array(32)).slice(-6)) {
      value = value * 62 + '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit);
    }
    expect(value).toBe(3011361818);
  });

  test('any one mistyped character is noticed', () => {
    const token = formatToken(randomBytes(32));
    for (let index = 0; index < token.length; index += 1) {
      const mistyped = token.slice(0, index) + (token[index] === 'x' ? 'y' : 'x') + token.slice(index + 1);
      expect(isTokenFormat(mistyped), mistyped).toBe(false);
    }
  });

  test.each(['', 'plants_', 'x'.repeat(56), `plants_${'é'.repeat(49)}`])('"%s" is none', (text) => {
    expect(isTokenFormat(text)).toBe(false);
  });

  test('a token with anything around it is none', () => {
    const token = formatToken(randomBytes(32));
    for (const text of [` ${token}`, `${token} `, `${token}\n`, token.toUpperCase(), `${token}${token}`]) {
      expect(isTokenFormat(text), JSON.stringify(text)).toBe(false);
    }
  });
});
