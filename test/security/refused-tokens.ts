import { createHash, randomInt } from 'node:crypto';
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
  return times(SECRET.length, (index) => [...oneOff(SECRET.start + index), sharing(token, index)]).flat();
}

/** A valid token with a typo at each place, truncated, or copied incorrectly. contract/cases.yaml has the tokens of others. */
function malformed(token: string): string[] {
  const at = (n: number) => [token.slice(0, n), token[n] ?? '', token.slice(n + 1)] as const;
  return [
    ...times(token.length - 1, (n) => at(n + 1)).flatMap(([before, character, after]) => [
      before,
      before + after,
      `${before}-${after}`,
      `${before} ${character}${after}`,
      before + (character === 'x' ? 'y' : 'x') + after,
    ]),
    ...['"', "'", ',', '=', '\t', '%20', '\u00a0', '\ufeff'].flatMap((mark) => [mark + token, token + mark]),
    token.toUpperCase(),
    token.toLowerCase(),
    // With a Cyrillic letter.
    token.replace('plants_', 'рlants_'),
    Buffer.from(token).toString('base64'),
    token.padEnd(8_000, '0'),
  ];
}

/** The digest in the table, in the forms in which someone who can read the table might send it. */
export function digestForms(token: string): string[] {
  const digest = createHash('sha256').update(token).digest();
  const hex = digest.toString('hex');
  const short = withChecksum(`plants_${hex.slice(0, SECRET.length)}`);
  return [hex, hex.toUpperCase(), hex.slice(0, 8), `plants_${hex}`, short, digest.toString('base64')];
}

/** Hundreds of strings that must be refused. @param token a valid token to derive them from */
export function refusedTokens(token: string): string[] {
  const all = [...nearMisses(token), ...malformed(token), ...digestForms(token)];
  return [...new Set(all)].filter((each) => each !== token);
}
