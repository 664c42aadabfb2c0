import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { BASE62, withChecksum } from '../../contract/placeholders.ts';

const SECRET = { start: 'plants_'.length, length: 43 };

const anyOf = (digits: string) => digits[randomInt(digits.length)] ?? '';
const otherThan = (digit = '') => anyOf(BASE62.replace(digit, ''));
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));

/** A token with a correct checksum that shares only the first characters of the secret with another. */
function sharing(token: string, characters: number): string {
  const at = SECRET.start + characters;
  const tail = times(SECRET.length - characters - 1, () => anyOf(BASE62)).join('');
  return withChecksum(token.slice(0, at) + otherThan(token[at]) + tail);
}

/** Tokens with the right format and checksum that differ from a valid one, some in one character only. */
function nearMisses(token: string): string[] {
  const end = SECRET.start + SECRET.length;
  const oneOff = (at: number) =>
    times(12, () => withChecksum(token.slice(0, at) + otherThan(token[at]) + token.slice(at + 1, end)));
  const reversed = [...token.slice(SECRET.start, end)].reverse().join('');
  return [
    ...times(SECRET.length, (index) => [...oneOff(SECRET.start + index), sharing(token, index)]).flat(),
    withChecksum(`plants_${reversed}`),
    withChecksum(`plants_${'0'.repeat(SECRET.length)}`),
  ];
}

/** Typing and copying errors at one character of a token. */
const TYPING_ERRORS: readonly ((before: string, character: string, after: string) => string)[] = [
  (before) => before,
  (_, character, after) => character + after,
  (before, _, after) => before + after,
  (before, _, after) => `${before}-${after}`,
  (before, character, after) => `${before} ${character}${after}`,
  (before, character, after) => before + after.slice(0, 1) + character + after.slice(1),
  (before, character, after) => before + (character === 'x' ? 'y' : 'x') + after,
];

/** A valid token with typos, truncated, or copied incorrectly. */
function malformed(token: string): string[] {
  const marks = ['"', "'", ',', ';', '=', '\t', '%20', '\u00a0', '\u200b', '\ufeff'];
  return [
    ...TYPING_ERRORS.flatMap((error) =>
      times(token.length - 1, (n) => error(token.slice(0, n + 1), token[n + 1] ?? '', token.slice(n + 2))),
    ),
    ...marks.flatMap((mark) => [mark + token, token + mark]),
    token.toUpperCase(),
    token.toLowerCase(),
    token + token,
    `Bearer ${token}`,
    token.replace('plants_', 'plants-'),
    // With a Cyrillic letter.
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
  const typed = 'null undefined true 0 * % {} [] ../../token <token> admin'.split(' ');
  return [...makers.flatMap((make) => times(20, make)), ...typed, "' OR '1'='1"];
}

/** The digest in the table, in every form in which someone who can read the table might send it. */
export function digestForms(token: string): string[] {
  const digest = createHash('sha256').update(token).digest();
  const hex = digest.toString('hex');
  let secret = '';
  for (let rest = BigInt(`0x${hex}`); secret.length < SECRET.length; rest /= 62n)
    secret = BASE62[Number(rest % 62n)] + secret;
  return [
    hex,
    hex.toUpperCase(),
    hex.slice(0, 8),
    `plants_${hex}`,
    withChecksum(`plants_${hex.slice(0, SECRET.length)}`),
    withChecksum(`plants_${secret}`),
    digest.toString('base64'),
    digest.toString('base64url'),
  ];
}

/** More than a thousand strings that must be refused. @param token a valid token to derive them from */
export function refusedTokens(token: string): string[] {
  const all = [...nearMisses(token), ...malformed(token), ...foreign(), ...digestForms(token)];
  return [...new Set(all)].filter((each) => each !== token);
}
