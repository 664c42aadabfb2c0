import { Failure } from '../../lambda/errors.ts';
import { type Json, jsonOf, NumberLiteral } from '../../lambda/json.ts';
import { type NewPlant, PROPERTIES } from '../../lambda/plant.ts';
import { checkPlant } from '../../lambda/request/check-plant.ts';

/** Why a line was not stored: a published error number, and one sentence. */
export interface Refusal {
  readonly error: number;
  readonly message: string;
}

/** One plant of the input: a line of NDJSON, or a row of CSV, which may span several lines. */
export interface InputRecord {
  /** The number of its first line, counted from 1. */
  readonly line: number;
  /** The length of its text. */
  readonly size: number;
  /** A plant to send, or the reason why nothing is sent. */
  readonly content: { readonly plant: NewPlant } | { readonly refusal: Refusal };
  /** For the file of refused lines: the properties, or the text if they could not be read. */
  readonly source: ReadonlyMap<string, Json> | string;
}

/** The property of a refused line that says why; the importer ignores it. */
const REFUSED = 'refused';

/** Checks a line by the service's own rules, and rejects what the service would silently drop. */
export function contentOf(line: Json): InputRecord['content'] {
  if (!(line instanceof Map)) return refuse(40002, 'The line must be a JSON object.');
  try {
    const plant = checkPlant(line);
    for (const [name, value] of line) {
      if (name === REFUSED) continue;
      const unknown = JSON.stringify(name.slice(0, 40));
      if (!Object.hasOwn(PROPERTIES, name)) return refuse(40002, `A plant has no property ${unknown}.`);
      if (hasMore(value, plant[name as keyof NewPlant]))
        return refuse(40002, `The ${name} has a property that a plant's does not have.`);
    }
    return { plant };
  } catch (error) {
    return refusalOf(error);
  }
}

/** Whether a value has more in it than what was read from it: of a list or an object, unknown properties are dropped. */
export function hasMore(sent: Json, read: unknown): boolean {
  return countValues(sent) > countValues(read);
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof NumberLiteral) return 1;
  const inside = value instanceof Map ? [...value.values()] : Object.values(value);
  return inside.reduce((sum, each) => sum + countValues(each), 1);
}

export function refuse(error: number, message: string): { refusal: Refusal } {
  return { refusal: { error, message } };
}

/** Converts a Failure of the service's code to a refusal. Any other error is a bug. */
export function refusalOf(error: unknown): { refusal: Refusal } {
  if (!(error instanceof Failure)) throw error;
  return refuse(error.published.error, error.message);
}

/** The line for the file of refused lines: its original properties, and why it was refused. */
export function refusedLine({ line, source }: InputRecord, refusal: Refusal): string {
  const isText = typeof source === 'string';
  const refused = new Map<string, unknown>(isText ? [] : source);
  // The last, also where an earlier import has left one.
  refused.delete(REFUSED);
  refused.set(REFUSED, { line, ...refusal, ...(isText && { text: source }) });
  return `${jsonOf(refused)}\n`;
}
