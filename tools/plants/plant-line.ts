import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { TEXT_NAMES, TEXTS } from '../../lambda/plant.ts';
import { parseInt64 } from '../../lambda/request/new-plant.ts';
import { UsageError } from '../../terminal/command-line.ts';

/** An item of the table, in DynamoDB's own JSON: lib-dynamodb would turn its id into a double. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** A number as DynamoDB writes it, with at most 38 digits. */
const NUMBER = /^-?\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;
const KNOWN: readonly string[] = ['id', ...TEXT_NAMES];

/**
 * The line of a plant in NDJSON, without its line break: `npm run import` reads the same plant from it.
 * @returns undefined if the item is not exactly a plant
 */
export function plantLine(item: Item): string | undefined {
  const id = idOf(item);
  if (typeof id === 'string' || Object.keys(item).some((name) => !KNOWN.includes(name))) return undefined;
  const texts: string[] = [];
  for (const name of TEXT_NAMES) {
    const text = item[name]?.S;
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${JSON.stringify(text)}`);
    // An attribute of another type.
    else if (item[name] !== undefined || TEXTS[name] === 'required') return undefined;
  }
  // `JSON.stringify` cannot write an int64.
  return `{"id":${[id, ...texts].join(',')}}`;
}

/** The id of an item. @returns why it is none, if it is not an int64 */
export function idOf(item: Item): bigint | 'fraction' | 'range' {
  const number = item.id?.N ?? '';
  return NUMBER.test(number) ? parseInt64(number) : 'fraction';
}

/**
 * Reads an id on the command line.
 * @returns its digits
 * @throws UsageError if it is not an int64 in plain digits
 */
export function idNamed(text: string): string {
  const isPlain = /^(0|-?[1-9]\d{0,18})$/.test(text) && typeof parseInt64(text) === 'bigint';
  if (isPlain) return text;
  throw new UsageError(
    'The id must be an integer from -9223372036854775808 to 9223372036854775807, in plain digits.',
  );
}
