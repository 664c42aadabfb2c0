import { isMap, isScalar, type Node, parseDocument, stringify } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';

export const CONTRACT = 'contract/openapi.yaml';

/** Without aliases: not all tools read an anchor that is written twice. */
const WRITTEN = { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false };

/** The path of the examples of a response. */
export function examplesOf(status: '200' | '400'): string[] {
  return ['paths', '/plants', 'post', 'responses', status, 'content', 'application/json', 'examples'];
}

/** Writes a value of openapi.yaml, and leaves all else as it is. @throws PlainError if there is none at the path */
export function withValue(text: string, path: readonly string[], value: unknown): string {
  const parent = parseDocument(text).getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    : undefined;
  const [start] = (pair?.key as Node | undefined)?.range ?? [];
  const [, end] = (pair?.value as Node | undefined)?.range ?? [];
  if (start === undefined || end === undefined)
    throw new PlainError(`${CONTRACT} lacks ${path.join('.')}: bring it back as it was.`);
  const indent = ' '.repeat(start - text.lastIndexOf('\n', start) - 1);
  const written = stringify({ [path.at(-1) ?? '']: value }, WRITTEN).trimEnd();
  const isBlock = text[end - 1] === '\n';
  return `${text.slice(0, start)}${written.replaceAll('\n', `\n${indent}`)}${isBlock ? '\n' : ''}${text.slice(end)}`;
}
