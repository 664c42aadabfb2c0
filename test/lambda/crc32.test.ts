import { randomBytes } from 'node:crypto';
import zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32 } from '../../lambda/crc32.ts';

test('the result is the check value of CRC-32/ISO-HDLC, and 0 for no bytes', () => {
  expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
  expect(crc32(Buffer.alloc(0))).toBe(0);
});

test('the result is that of zlib for any length', () => {
  for (const length of [1, 2, 3, 56, 255, 256, 4_097]) {
    const bytes = randomBytes(length);
    expect(crc32(bytes)).toBe(zlib.crc32(bytes));
  }
});
