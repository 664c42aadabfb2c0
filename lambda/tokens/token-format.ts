import { crc32 } from '../crc32.ts';

/** How each of our own access tokens begins. */
export const PREFIX = 'plants_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 > 2^256 and 62^6 > 2^32: every secret and every checksum fits. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Writes an access token: `plants_`, 43 Base62 characters of secret, 6 of CRC-32 over everything before them. The
 * prefix lets secret scanners find a leaked token; the checksum lets the service refuse a mistyped one without a read.
 * @param secret 32 random bytes
 */
export function formatToken(secret: Uint8Array): string {
  const body = PREFIX + base62(BigInt(`0x${Buffer.from(secret).toString('hex')}`), SECRET_LENGTH);
  return body + checksum(body);
}

/** Whether a text has the format and the checksum of an access token. It may still be unknown. */
export function isTokenFormat(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(body));
}

function checksum(body: string): string {
  return base62(BigInt(crc32(Buffer.from(body))), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(length, '0');
}
