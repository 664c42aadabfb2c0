import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { expand, idsIn, plantIn, withNames } from './case-text.ts';
import type { Accepted, ContractCase, Refused } from './contract-case.ts';
import { fits, OPTIONAL_TEXT, TEXT } from './examples.ts';

const DEFAULT_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer {token}' };

/** A case as written in cases.yaml; cases.schema.json explains the fields, and has the defaults. */
interface WrittenCase
  extends Pick<ContractCase, 'name' | 'method' | 'path' | 'canary'>,
    Partial<Omit<Accepted, 'status'>>,
    Partial<Pick<Refused, 'error' | 'message'>> {
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: string;
  readonly given?: string[];
  readonly absent?: string;
  readonly anyId?: boolean;
}

/** What is added to the ids that are placeholders. */
export interface Ids {
  /** In cases that store plants, or need stored ones. */
  readonly stored: bigint;
  /** In refused ones. */
  readonly refused: bigint;
}

interface Group {
  readonly group: string;
  readonly anyId?: boolean;
  readonly cases: readonly WrittenCase[];
}
type Table = readonly Group[];

const SCHEMA = JSON.parse(readFileSync(new URL('cases.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strictRequired: false, useDefaults: true }).compile<Table>(SCHEMA);

/** What the cases need to know of the properties. */
interface Model {
  /** The name of the optional text; empty if there is none. */
  readonly optional: string;
  /** Whether a text has a length that a property may have. */
  readonly fits: (name: string, text: string) => boolean;
}

const MODEL: Model = { optional: OPTIONAL_TEXT ?? '', fits };
const AS_WRITTEN: Ids = { stored: 0n, refused: 0n };

let own: Table | undefined;

/** The cases of cases.yaml, which is read once per process. @throws Error as {@link readCases} does */
export function loadCases(ids = AS_WRITTEN): ContractCase[] {
  own ??= checked(parse(readFileSync(new URL('cases.yaml', import.meta.url), 'utf8')));
  return expandTable(own, ids, MODEL);
}

/**
 * Reads a table of contract cases.
 * @param table as cases.yaml, parsed
 * @param model decides which cases are left out: those about an optional text, if there is none, and those with a placeholder for the
 * name of a text, and a length that it may not have
 * @throws Error with the name of the case, if the table does not match cases.schema.json or has a name twice
 */
export function readCases(table: unknown, ids = AS_WRITTEN, model = MODEL): ContractCase[] {
  return expandTable(checked(table), ids, model);
}

function checked(table: unknown): Table {
  if (!validate(table)) throw new Error(explain(table as Table));
  const names = table.flatMap(({ cases }) => cases.map(({ name }) => name));
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated) throw new Error(`There are two contract cases "${repeated}".`);
  return table;
}

function expandTable(table: Table, ids: Ids, { optional, fits }: Model): ContractCase[] {
  const names = { '⟨text⟩': TEXT, '⟨optional⟩': optional };
  return table.flatMap(({ cases, ...group }) =>
    cases.flatMap((written) => {
      const text = JSON.stringify(written);
      if (optional === '' && text.includes('⟨optional⟩')) return [];
      const expanded = expandCase(group, written, ids);
      // Not of a case that writes out the name: that is about the limits.
      const varied = Object.entries(names).flatMap(([placeholder, name]) =>
        text.includes(placeholder) ? [name] : [],
      );
      if (varied.length === 0) return [expanded];
      const plants = [expanded.body ?? Buffer.of(), ...expanded.given].map(parsed);
      const fitsModel = varied.every((name) =>
        plants.every(({ [name]: value }) => typeof value !== 'string' || fits(name, value)),
      );
      return fitsModel ? [expanded] : [];
    }),
  );
}

/** The properties of a body; none if it is no JSON. */
function parsed(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    return {};
  }
}

function explain(table: Table): string {
  const { instancePath = '', message, params } = validate.errors?.[0] ?? {};
  const [, group, , index] = instancePath.split('/');
  const name = table[Number(group)]?.cases?.[Number(index)]?.name;
  return `Contract case "${name}": ${instancePath} ${message} (${JSON.stringify(params)}).`;
}

function expandCase(
  { group, anyId = false }: Omit<Group, 'cases'>,
  written: WrittenCase,
  ids: Ids,
): ContractCase {
  const { name, method, path, headers, body, given = [], error, canary } = written;
  const from = error !== undefined && given.length === 0 ? ids.refused : ids.stored;
  try {
    return {
      group,
      name,
      method,
      path: String(expand(path, from)),
      headers: Object.entries({ ...DEFAULT_HEADERS, ...headers }).flatMap(([header, values]) =>
        [values ?? []].flat().map((value): [string, string] => [header, value]),
      ),
      body: body === undefined ? undefined : expand(body, from),
      given: given.map((text) => expand(text, from)),
      expected: expectedOf(written, from),
      ids: [path, body ?? '', ...given].flatMap((text) => idsIn(text, from)),
      anyId: written.anyId ?? anyId,
      canary,
    };
  } catch (failure) {
    throw new Error(`Contract case "${name}": ${(failure as Error).message}`);
  }
}

function expectedOf(
  { path, body = '', given = [], plant, stored, error, message, absent }: WrittenCase,
  from: bigint,
): Accepted | Refused {
  if (error !== undefined) {
    const taken = given.flatMap((text) => idsIn(text, from));
    const free = idsIn(path + body, from).filter((id) => !taken.includes(id));
    return {
      status: 400,
      error,
      message: message && withNames(message),
      absent: absent === undefined ? free : [...free, absent],
    };
  }
  // A request without a body reads what was stored before.
  const source = body || given.join();
  const id = stored === undefined ? idsIn(source, from)[0] : String(expand(stored, from));
  if (id === undefined) throw new Error('stored must say the id, which is not a placeholder.');
  return { status: 200, plant: plantIn(source, plant), stored: id };
}
