import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { idIn, withAbsentIds } from './case-ids.ts';
import { expand, plantIn } from './case-text.ts';
import type { Accepted, ContractCase, Refused } from './contract-case.ts';

const DEFAULT_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer {token}' };

/** A case as written in cases.yaml; cases.schema.json explains the fields, and has the defaults. */
interface WrittenCase
  extends Pick<ContractCase, 'name' | 'method' | 'path' | 'only'>,
    Partial<Omit<Accepted, 'status'>>,
    Partial<Omit<Refused, 'status'>> {
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: string;
  readonly bytes?: number;
  readonly given?: string[];
}

type Table = readonly { readonly group: string; readonly cases: readonly WrittenCase[] }[];

const SCHEMA = JSON.parse(readFileSync(new URL('cases.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strictRequired: false, useDefaults: true }).compile<Table>(SCHEMA);

let own: readonly ContractCase[] | undefined;

/** The cases of cases.yaml, which is read once per process. @throws Error as {@link readCases} does */
export function loadCases(): readonly ContractCase[] {
  own ??= readCases(new URL('cases.yaml', import.meta.url));
  return own;
}

/**
 * Reads a table of contract cases.
 * @throws Error with the name of the case, if the table does not match cases.schema.json or has a name twice
 */
export function readCases(file: URL): ContractCase[] {
  const table: unknown = parse(readFileSync(file, 'utf8'));
  if (!validate(table)) throw new Error(explain(table as Table));
  const cases = table.flatMap(({ group, cases: written }) => written.map((each) => readCase(group, each)));
  const names = cases.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated) throw new Error(`There are two contract cases "${repeated}".`);
  return withAbsentIds(cases);
}

function explain(table: Table): string {
  const { instancePath = '', message, params } = validate.errors?.[0] ?? {};
  const [, group, , index] = instancePath.split('/');
  const name = table[Number(group)]?.cases?.[Number(index)]?.name;
  return `Contract case "${name}": ${instancePath} ${message} (${JSON.stringify(params)}).`;
}

function readCase(group: string, written: WrittenCase): ContractCase {
  const { name, method, path, headers, given = [], only } = written;
  try {
    const body = written.body === undefined ? undefined : expand(written.body, written.bytes);
    return {
      group,
      name,
      method,
      path,
      headers: Object.entries({ ...DEFAULT_HEADERS, ...headers }).flatMap(([header, values]) =>
        [values ?? []].flat().map((value): [string, string] => [header, value]),
      ),
      body,
      given: given.map((text) => expand(text)),
      expected: expectedOf(written, body),
      only,
    };
  } catch (error) {
    throw new Error(`Contract case "${name}": ${(error as Error).message}`);
  }
}

function expectedOf(
  { body: text = '', plant, stored, error, message, absent }: WrittenCase,
  body: Buffer | undefined,
): Accepted | Refused {
  if (error !== undefined) return { status: 400, error, message, absent };
  return { status: 200, plant: plantIn(text, plant), stored: stored ?? idIn(body) };
}
