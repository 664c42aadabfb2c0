import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { idIn, withAbsentIds } from './case-ids.ts';
import type { Accepted, ContractCase, Refused } from './contract-case.ts';
import { OPENAPI } from './openapi.ts';

const DEFAULT_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer {token}' };

/** A case as written in cases.yaml; cases.schema.json explains the fields, and has the defaults. */
interface WrittenCase
  extends Pick<ContractCase, 'name' | 'method' | 'path' | 'only'>,
    Partial<Omit<Accepted, 'status'>>,
    Partial<Omit<Refused, 'status'>> {
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: string;
  readonly bytes?: number;
  readonly hex?: string;
  readonly given?: string[];
}

type Table = readonly { readonly group: string; readonly cases: readonly WrittenCase[] }[];

const SCHEMA = JSON.parse(readFileSync(new URL('cases.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strictRequired: false, useDefaults: true })
  .addSchema(OPENAPI.components.schemas.Plant, 'openapi.yaml#/components/schemas/Plant')
  .compile<Table>(SCHEMA);

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
  const body = bodyOf(written);
  return {
    group,
    name,
    method,
    path,
    headers: Object.entries({ ...DEFAULT_HEADERS, ...headers }).flatMap(([header, values]) =>
      [values ?? []].flat().map((value): [string, string] => [header, value]),
    ),
    body,
    given: given.map((body) => Buffer.from(expanded(body))),
    expected: expectedOf(written, body),
    only,
  };
}

function bodyOf({ name, body, bytes, hex }: WrittenCase): Buffer | undefined {
  if (hex !== undefined) return Buffer.from(hex.replaceAll(' ', ''), 'hex');
  if (body === undefined) return undefined;
  const buffer = Buffer.from(expanded(body));
  if (bytes === undefined || bytes === buffer.length) return buffer;
  throw new Error(`Contract case "${name}": bytes is ${bytes}, but the body has ${buffer.length}.`);
}

function expectedOf(
  { plant, stored, error = 0, message, absent }: WrittenCase,
  body: Buffer | undefined,
): Accepted | Refused {
  if (!plant) return { status: 400, error, message, absent };
  const properties = Object.entries(plant).map(([name, value]) => [
    name,
    typeof value === 'string' ? expanded(value) : value,
  ]);
  return { status: 200, plant: Object.fromEntries(properties), stored: stored ?? idIn(body) };
}

/** Writes out the repetitions in a text: `<⟨ab×3⟩>` becomes `<ababab>`. */
function expanded(text: string): string {
  return text.replace(/⟨(.+?)×(\d+)⟩/gu, (_, part: string, times: string) => part.repeat(Number(times)));
}
