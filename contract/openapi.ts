import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { PlainError } from '../cli/plain-error.ts';

/** What the cases, the tests and the generator read of a JSON schema. */
export interface Schema {
  readonly type: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly maxProperties?: number;
  readonly propertyNames?: object;
  readonly examples?: readonly unknown[];
}

/** openapi.yaml, parsed. */
export const OPENAPI = parseContract(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8'));

/** Parses the text of openapi.yaml. @throws PlainError that names the line which is no YAML */
export function parseContract(text: string) {
  const lineCounter = new LineCounter();
  // Without the lines around an error in its message.
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw new PlainError(`contract/openapi.yaml:${line}: ${error.message}.`);
  }
  const contract = contentOf(document);
  if (!contract?.components?.schemas?.NewPlant)
    throw new PlainError('contract/openapi.yaml lacks components.schemas.NewPlant.');
  return contract;
}

/** @throws PlainError if an alias has no anchor */
function contentOf(document: ReturnType<typeof parseDocument>) {
  try {
    return document.toJS();
  } catch (error) {
    throw new PlainError(`contract/openapi.yaml: ${(error as Error).message}.`);
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
