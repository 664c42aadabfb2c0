import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { withChecksum } from '../../tools/verify/placeholders.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET = { start: 'plants_'.length, length: 43 };

/** A token with a right checksum that shares only the first characters of the secret with another. */
export function sharing(token: string, characters: number): string {
  const at = SECRET.start + characters;
  const random = [...randomBytes(SECRET.length)].map((byte) => DIGITS[byte % 62] ?? '0');
  const other = DIGITS[(DIGITS.indexOf(token[at] ?? '0') + 1 + (random[0] ?? '0').charCodeAt(0)) % 61] ?? '0';
  const next = other === token[at] ? DIGITS[(DIGITS.indexOf(other) + 1) % 62] : other;
  const tail = random.slice(0, Math.max(0, SECRET.length - characters - 1)).join('');
  return withChecksum(token.slice(0, at) + next + tail);
}

/** Tokens with the right format and checksum that differ from a valid one, some in one character only. */
function nearMisses(token: string): string[] {
  const positions = Array.from({ length: SECRET.length }, (_, index) => index);
  const oneOff = positions.flatMap((index) => {
    const at = SECRET.start + index;
    const others = [...DIGITS].filter((digit) => digit !== token[at]).filter((_, n) => n % 6 === index % 6);
    return others.map((digit) => withChecksum(token.slice(0, at) + digit + token.slice(at + 1, 50)));
  });
  const prefixes = positions.flatMap((index) => [sharing(token, index), sharing(token, index)]);
  const turned = `plants_${[...token.slice(7, 50)].reverse().join('')}`;
  return [...oneOff, ...prefixes, withChecksum(turned), withChecksum(`plants_${'0'.repeat(43)}`)];
}

/** A valid token with typing errors, truncated, or copied incorrectly. */
function malformed(token: string): string[] {
  const positions = Array.from({ length: token.length }, (_, index) => index);
  const swapped = (index: number) =>
    token.slice(0, index) + (token[index + 1] ?? '') + token[index] + token.slice(index + 2);
  return [
    ...positions.slice(1).map((index) => token.slice(0, index)),
    ...positions.slice(1).map((index) => token.slice(index)),
    ...positions.map((index) => token.slice(0, index) + token.slice(index + 1)),
    ...positions.map((index) => `${token.slice(0, index)}-${token.slice(index + 1)}`),
    ...positions.map((index) => `${token.slice(0, index)} ${token.slice(index)}`).slice(1),
    ...positions.map(swapped).filter((each) => each !== token && each.length === token.length),
    ...positions.map(
      (index) => token.slice(0, index) + (token[index] === 'x' ? 'y' : 'x') + token.slice(index + 1),
    ),
    ...['"', "'", ',', ';', '=', '\t', '%20', '\u00a0', '\u200b', '\ufeff'].flatMap((mark) => [
      mark + token,
      token + mark,
    ]),
    token.toUpperCase(),
    token.toLowerCase(),
    token + token,
    `Bearer ${token}`,
    token.replace('plants_', 'plants-'),
    token.replace('plants_', 'рlants_'),
    encodeURIComponent(`${token} `),
    Buffer.from(token).toString('base64'),
    token.padEnd(8_000, '0'),
  ];
}

/** Made-up tokens in the formats of other services, and strings that attackers try. */
function foreign(): string[] {
  const base64url = (size: number) => randomBytes(size).toString('base64url');
  const makers = [
    () => [base64url(20), base64url(60), base64url(32)].join('.'),
    () => `${['gh', 'p'].join('')}_${randomBytes(18).toString('hex')}`,
    () => `${['sk', 'live'].join('_')}_${randomBytes(12).toString('hex')}`,
    () => randomUUID(),
    () => randomBytes(32).toString('hex'),
    () => Buffer.from(`user:${base64url(9)}`).toString('base64'),
  ];
  const typed = [
    'null',
    'undefined',
    'true',
    '0',
    '*',
    '%',
    '{}',
    '[]',
    "' OR '1'='1",
    '../../token',
    '<token>',
    'admin',
  ];
  return [...makers.flatMap((make) => Array.from({ length: 20 }, make)), ...typed];
}

/** The digest in the table, in every form in which someone who can read the table might send it. */
export function digestForms(token: string): string[] {
  const digest = createHash('sha256').update(token).digest();
  const hex = digest.toString('hex');
  let secret = '';
  for (let rest = BigInt(`0x${hex}`); secret.length < 43; rest /= 62n)
    secret = DIGITS[Number(rest % 62n)] + secret;
  const encoded = (['base64', 'base64url'] as const).map((form) => digest.toString(form));
  return [
    hex,
    hex.toUpperCase(),
    hex.slice(0, 8),
    `plants_${hex}`,
    withChecksum(`plants_${hex.slice(0, 43)}`),
    withChecksum(`plants_${secret}`),
    ...encoded,
  ];
}

/** More than a thousand strings that must be refused. @param token a valid token to derive them from */
export function refusedTokens(token: string): string[] {
  const all = [...nearMisses(token), ...malformed(token), ...foreign(), ...digestForms(token)];
  return [...new Set(all)].filter((each) => each !== token);
}
