import { Failure } from '../../lambda/errors.ts';
import { type Json, jsonOf } from '../../lambda/json.ts';
import { NEW_PLANT, type NewPlant, PROPERTIES, PROPERTY_NAMES } from '../../lambda/plant.ts';
import { checkPlant } from '../../lambda/request/check-plant.ts';
import { hasMore } from '../shared/has-more.ts';
import { exportedItem, plainItem } from './dynamodb-item.ts';
import type { FileNames } from './names.ts';
import { fromTool } from './tool-value.ts';

/** Why a line was not stored: a published error number, and one sentence. */
export interface Refusal {
  readonly error: number;
  readonly message: string;
}

/** How a file is read. */
export interface Reading {
  /** Of CSV: what a field is without a value, as it is written; by default, nothing between two separators. */
  readonly absent?: readonly string[] | undefined;
  /** Of CSV: whether quotes stand around texts, as they do by default. */
  readonly quotes?: boolean | undefined;
  readonly names?: FileNames | undefined;
}

/** One plant of the input: an object of JSON, or a row of CSV. Each may span several lines. */
export interface InputRecord {
  /** The number of its first line, counted from 1. */
  readonly line: number;
  /** The length of its text. */
  readonly size: number;
  /** A plant to send, or the reason why nothing is sent. */
  readonly content:
    | { readonly plant: NewPlant }
    /** With the names at its top that a plant does not have, if it was refused for these. */
    | { readonly refusal: Refusal; readonly unknown?: readonly string[] };
  /** For the file of refused lines: the properties, or the text if they could not be read. */
  readonly source: ReadonlyMap<string, Json> | string;
}

/** The property of a refused line that says why; the importer ignores it. */
export const REFUSED = 'refused';

/** Of a line whose properties could not be read: it has the text, and somebody may have corrected that. */
const ONLY_REFUSED =
  'The line has only the text that was refused, which is not read: write the plant as JSON beside "refused".';

/**
 * Checks a line by the service's own rules, after reading what data tools write otherwise. It rejects what the service would silently
 * drop.
 */
export function contentOf(line: Json): InputRecord['content'] {
  if (!(line instanceof Map)) return refuse(40002, 'The line must be a JSON object.');
  try {
    const item = exportedItem(line, REFUSED);
    // Inside an item, it is a property like others.
    const ignored = item ? undefined : REFUSED;
    if (line.size === 1 && line.has(REFUSED)) return refuse(40002, ONLY_REFUSED);
    const unknown = [...(item ?? line).keys()].filter(
      (name) => name !== ignored && !Object.hasOwn(PROPERTIES, name),
    );
    if (unknown.length > 0) return { ...refuse(40002, unknownProperties(unknown)), unknown };
    const sent = item ? plainItem(item) : line;
    const read = fromTool(sent, NEW_PLANT.schema, '') as ReadonlyMap<string, Json>;
    const plant = checkPlant(read);
    for (const [name, value] of read)
      if (name !== ignored && hasMore(value, plant[name as keyof NewPlant]))
        return refuse(40002, `The ${name} has a property that a plant's does not have.`);
    return { plant };
  } catch (error) {
    return refusalOf(error);
  }
}

/** So many names are shown of a line. */
const MOST_NAMES = 20;

/** Says which names are none of a plant's properties, and which one is probably meant. */
export function unknownProperties(names: readonly string[]): string {
  const hints = names.flatMap((name) => {
    const own = PROPERTY_NAMES.find((each) => each.toLowerCase() === name.trim().toLowerCase());
    if (own !== undefined) return [`; write ${shown([name])} as ${shown([own])}`];
    return name === 'Items' && names.includes('Count')
      ? ["; of a scan of DynamoDB, import the items: jq -c '.Items[]'"]
      : [];
  });
  return `A plant has no property ${shown(names)}${hints.slice(0, MOST_NAMES).join('')}.`;
}

/** A name for a message. */
export const shownName = (name: string) => JSON.stringify(name.slice(0, 40));

/** Names for a message. */
function shown(names: readonly string[]): string {
  const few = names.slice(0, MOST_NAMES).map(shownName);
  if (names.length > MOST_NAMES) few.push(`${names.length - MOST_NAMES} more`);
  const last = few.pop();
  return few.length > 0 ? `${few.join(', ')} and ${last}` : String(last);
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
  const earlier = isText ? undefined : source.get(REFUSED);
  // What an earlier import could not read is kept.
  const text = isText ? source : earlier instanceof Map ? earlier.get('text') : undefined;
  // The last, also where an earlier import has left one.
  refused.delete(REFUSED);
  refused.set(REFUSED, { line, ...refusal, ...(text !== undefined && { text }) });
  return `${jsonOf(refused)}\n`;
}
