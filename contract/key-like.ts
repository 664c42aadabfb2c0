import { PlainError } from '../cli/plain-error.ts';
import type { Schema } from './openapi.ts';

/** How the tests number the ids of plants. */
interface Key {
  /** Whether an id is an int64; else it is a text. */
  readonly isNumber: boolean;
  /**
   * The numbers of the ids that are reserved for verification in every deployment. As int64, they are 2^40 from -2^62 on, far from those that
   * people use; as texts, those whose first digit is 9. Clients should not use them. commands/README.md, "Verify", publishes this.
   */
  readonly reserved: { readonly first: bigint; readonly count: bigint };
  /** The id with a number. @param id a number, also in digits; any other text is an id already */
  readonly idOf: (id: number | bigint | string) => string;
  /** The same as it stands in a JSON text. */
  readonly idJson: (id: number | bigint | string) => string;
  /** A text that is no id. */
  readonly noId: string;
}

/** Fewer digits would leave no place for the ids that are reserved. */
const LEAST_DIGITS = 8;

/** Whether DynamoDB takes each text of a schema as a key: it refuses an empty one, and one of over 2,048 bytes (developer guide, "Quotas"). */
export function isKeyText({ pattern, minLength, maxLength = Infinity }: Schema): boolean {
  const mayBeEmpty = pattern === undefined ? !minLength : new RegExp(pattern, 'u').test('');
  return !mayBeEmpty && maxLength <= 512;
}

/**
 * Makes the key of the schema of its ids. A text is numbered by the digits of its first example that may be any digit.
 * @throws PlainError if these are too few, its pattern is none, or there is no schema
 */
export function keyLike(schema: Schema | undefined): Key {
  if (!schema)
    throw new PlainError('contract/openapi.yaml: NewPlant needs the property id, the key of the table.');
  const { type, pattern, maxLength, examples = [] } = schema;
  if (type === 'integer')
    return {
      isNumber: true,
      reserved: { first: -(2n ** 62n), count: 2n ** 40n },
      idOf: String,
      idJson: String,
      noId: '9223372036854775808',
    };
  const example = String(examples[0]);
  const replaced = (at: number, digit: number) => `${example.slice(0, at)}${digit}${example.slice(at + 1)}`;
  const form = pattern === undefined ? undefined : formOf(pattern);
  const mayBeAny = (at: number) =>
    !form || Array.from({ length: 10 }, (_, n) => replaced(at, n)).every((text) => form.test(text));
  const places = [...example.matchAll(/\d/g)]
    .map(({ index }) => index)
    .filter(mayBeAny)
    .slice(-18);
  if (places.length < LEAST_DIGITS)
    throw new PlainError(
      `contract/openapi.yaml: the first example of NewPlant's id, ${example}, needs ${LEAST_DIGITS} digits that may be any digit: tests number their ids by them.`,
    );
  const all = 10n ** BigInt(places.length);
  const idOf = (id: number | bigint | string) => {
    if (!/^-?\d+$/.test(String(id))) return String(id);
    const digits = String(((BigInt(id) % all) + all) % all).padStart(places.length, '0');
    return [...example].map((character, at) => digits[places.indexOf(at)] ?? character).join('');
  };
  const reserved = { first: (all / 10n) * 9n, count: all / 10n };
  const tooLong = 'x'.repeat((maxLength ?? example.length) + 1);
  const noId = ['x', '!', '~'].find((text) => !form?.test(text)) ?? tooLong;
  return { isNumber: false, reserved, idOf, idJson: (id) => JSON.stringify(idOf(id)), noId };
}

function formOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new PlainError(`contract/openapi.yaml: the pattern of NewPlant's id: ${(error as Error).message}.`);
  }
}
