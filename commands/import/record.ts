import { Failure } from '../../lambda/errors.ts';
import { type NewPlant, PROPERTIES } from '../../lambda/plant.ts';
import type { Properties } from '../../lambda/request/json.ts';
import { newPlant } from '../../lambda/request/new-plant.ts';

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
  /** For the file of refused lines: the properties, each value as JSON text, or the text if they could not be read. */
  readonly source: Properties | string;
}

/** The property of a refused line that says why; the importer ignores it. */
const REFUSED = 'refused';

/** Checks properties by the service's own rules, and rejects what the service would silently drop. */
export function contentOf(properties: Properties | undefined): InputRecord['content'] {
  try {
    const plant = newPlant(properties);
    for (const [name, json] of properties ?? []) {
      if (name === REFUSED) continue;
      const unknown = JSON.stringify(name.slice(0, 40));
      if (!Object.hasOwn(PROPERTIES, name)) return refuse(40002, `A plant has no property ${unknown}.`);
      if (hasMore(json, plant[name as keyof NewPlant]))
        return refuse(40002, `The ${name} has a property that a plant's does not have.`);
    }
    return { plant };
  } catch (error) {
    return refusalOf(error);
  }
}

/** Whether JSON has more in it than the value that was read from it: of a list or an object, unknown properties are dropped. */
export function hasMore(json: string, value: unknown): boolean {
  return typeof value === 'object' && partsOf(JSON.parse(json)) > partsOf(value);
}

function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum, part) => sum + partsOf(part), 1);
}

export function refuse(error: number, message: string): { refusal: Refusal } {
  return { refusal: { error, message } };
}

/** Converts a Failure of the service's code to a refusal. Any other error is a bug. */
export function refusalOf(error: unknown): { refusal: Refusal } {
  if (!(error instanceof Failure)) throw error;
  return refuse(error.published.error, error.message.replace(/^The body/, 'The line'));
}

/** The line for the file of refused lines: its original properties, and why it was refused. */
export function refusedLine({ line, source }: InputRecord, refusal: Refusal): string {
  const [properties, text] = typeof source === 'string' ? [[], source] : [[...source]];
  const why = JSON.stringify({ line, ...refusal, text });
  const pairs = [...properties.filter(([name]) => name !== REFUSED), [REFUSED, why]];
  return `{${pairs.map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}\n`;
}
