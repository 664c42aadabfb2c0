import { OPENAPI } from './openapi.ts';

const { type, pattern, examples } = OPENAPI.components.schemas.NewPlant.properties.id;

/** Whether an id is an int64; else it is a text. */
export const IS_NUMBER = type === 'integer';

/** The first example of a text, whose digits number the ids of tests; and the places of the digits that may be any. */
const EXAMPLE = String(examples[0]);
const PLACES = [...EXAMPLE.matchAll(/\d/g)]
  .map(({ index }) => index)
  .filter(mayBeAnyDigit)
  .slice(-18);

/** Fewer digits would leave no place for the ids that are reserved. */
const LEAST_PLACES = 8;
if (!IS_NUMBER && PLACES.length < LEAST_PLACES)
  throw new Error(
    `contract/openapi.yaml: the first example of NewPlant's id, ${EXAMPLE}, needs ${LEAST_PLACES} digits each of which may be any digit: tests number their ids by them.`,
  );
const ALL = 10n ** BigInt(PLACES.length);

/**
 * The ids that are reserved for verification in every deployment. Of numbers, 2^40 from -2^62 on, far from those that people use; of
 * texts, those whose first digit of {@link PLACES} is 9. Clients should not use them. commands/README.md, "Verify", publishes this.
 */
export const RESERVED = IS_NUMBER
  ? { first: -(2n ** 62n), count: 2n ** 40n }
  : { first: (ALL / 10n) * 9n, count: ALL / 10n };

/** The id with a number. @param id a number, also in digits; any other text is an id already */
export function idOf(id: number | bigint | string): string {
  if (IS_NUMBER || !/^-?\d+$/.test(String(id))) return String(id);
  const digits = String(((BigInt(id) % ALL) + ALL) % ALL).padStart(PLACES.length, '0');
  return [...EXAMPLE].map((character, at) => digits[PLACES.indexOf(at)] ?? character).join('');
}

/** The same as it stands in a JSON text. */
export function idJson(id: number | bigint | string): string {
  return IS_NUMBER ? String(id) : JSON.stringify(idOf(id));
}

function mayBeAnyDigit(at: number): boolean {
  const texts = Array.from({ length: 10 }, (_, n) => `${EXAMPLE.slice(0, at)}${n}${EXAMPLE.slice(at + 1)}`);
  return pattern === undefined || texts.every((text) => new RegExp(pattern, 'u').test(text));
}
