import { readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { PlainError } from '../cli/plain-error.ts';

/** openapi.yaml, parsed. */
export const OPENAPI = parseContract(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8'));

/** Parses the text of openapi.yaml. @throws PlainError that names the line which is no YAML */
export function parseContract(text: string) {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const [problem] = error.message.split(' at line ');
    throw new PlainError(`contract/openapi.yaml:${error.linePos?.[0].line}: ${problem}.`);
  }
}

/** The operations of openapi.yaml: the method in upper case, and the path. */
export const OPERATIONS = Object.entries<Record<string, object>>(OPENAPI.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
);

/** The schemas of the 200s of all operations. A response may be that of another operation, by reference. */
export function resultSchemas(openapi: typeof OPENAPI): object[] {
  const partAt = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce((part, name) => part[name.replaceAll('~1', '/')], openapi);
  return Object.values<Record<string, typeof OPENAPI>>(openapi.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ responses: { 200: response } }) => (response.$ref ? partAt(response.$ref) : response))
    .map(({ content }) => content['application/json'].schema);
}
