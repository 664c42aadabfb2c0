import { Failure } from '../../lambda/errors.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import type { Properties } from '../../lambda/request/json.ts';
import { newPlant } from '../../lambda/request/new-plant.ts';
import { unknownProperty } from '../shared/unknown-property.ts';

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

/** Checks properties by the service's own rules, and rejects those that the service would silently drop. */
export function contentOf(properties: Properties | undefined): InputRecord['content'] {
  try {
    const plant = newPlant(properties);
    const unknown = unknownProperty([...(properties ?? [])].filter(([name]) => name !== REFUSED));
    if (unknown === undefined) return { plant };
    return refuse(40002, `A plant has no property ${JSON.stringify(unknown.slice(0, 40))}.`);
  } catch (error) {
    return refusalOf(error);
  }
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
