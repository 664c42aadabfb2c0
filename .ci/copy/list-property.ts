/** A list by a property of the model: the payload of the list is written for `status`. */
import { PlainError } from '../../cli/plain-error.ts';
import { CONTRACT } from '../../commands/generate/contract-value.ts';
import { isKeyText } from '../../contract/key-like.ts';
import type { Schema } from '../../contract/openapi.ts';
import type { Tree } from './manifest.ts';
import { propertiesOf } from './model.ts';

const FOLDER = 'operations/list/';
/** The property that the list adds to a model which has none of its name: the last part of its contract. */
const ADDED = /^ {4}New\w+:\n(?: {5,}.*\n)*/m;
/** What the query of a list has besides, and the key of the table. */
const TAKEN = ['id', 'limit', 'page'];

/**
 * Makes the list one by a property.
 * @param house with the names of the copy
 * @param contract the contract of the copy, before the list is added
 * @throws PlainError that names the line of a property that no index can hold, or says that there is none
 */
export function withListBy(house: Tree, contract: string, property = 'status'): Map<string, string> {
  const { line, schema } = propertiesOf(contract).get(property) ?? {};
  if (!schema && property !== 'status')
    throw new PlainError(`${CONTRACT} has no property ${property} to list by: add it first.`);
  const problem = TAKEN.includes(property) ? 'is another parameter of a list' : schema && problemOf(schema);
  if (problem)
    throw new PlainError(
      `${CONTRACT}:${line}: ${property} ${problem}: list=PROPERTY in place of list names another to list by.`,
    );
  return new Map(
    [...house].map(([file, text]) => {
      if (!file.startsWith(FOLDER)) return [file, text];
      const kept = schema && file === `${FOLDER}openapi.yaml` ? text.replace(ADDED, '') : text;
      return [file, property === 'status' ? kept : renamed(kept, property, file.endsWith('.ts'))];
    }),
  );
}

/** Why an index cannot hold the values, or undefined. */
function problemOf(schema: Schema): string | undefined {
  const { type, format, enum: values } = schema;
  if (['integer', 'number'].includes(type) || values || (type === 'string' && format)) return undefined;
  if (type !== 'string') return `is of type ${type}, which no index can hold`;
  if (isKeyText(schema)) return undefined;
  return 'is a text that may be empty or long, which no index can hold (minLength: 1, maxLength: 512 or less)';
}

function renamed(text: string, property: string, isCode: boolean): string {
  const index = `by-${property.replaceAll(/[^\w.-]/g, '-')}`;
  const named = text.replaceAll('by-status', index);
  // In code, the status of a response is another; a name such as first-name is quoted where it is a key.
  return isCode
    ? named.replaceAll(/'status'|(?<=readonly )status(?=:)/g, () => `'${property}'`)
    : named.replaceAll(/\bstatus\b/g, () => property);
}
