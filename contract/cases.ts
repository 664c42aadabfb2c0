import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { expand, idsIn, plantIn, unknownIn, withNames } from './case-text.ts';
import type { ContractCase, ExpectedError } from './contract-case.ts';
import { fits, OPTIONAL_TEXT, type Plant, PROPERTIES, TEXT } from './examples.ts';
import { jsonIn } from './json.ts';
import { IS_NUMBER, idJson } from './key.ts';
import { propertyCases } from './property-cases.ts';
import { routeCases } from './route-cases.ts';

/** A case as written in cases/, or made by property-cases.ts or route-cases.ts; cases.schema.json explains the fields, and has the defaults. */
interface WrittenCase
  extends Pick<ContractCase, 'name' | 'method' | 'path' | 'canary'>,
    Partial<Pick<ExpectedError, 'error' | 'names'>> {
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: string;
  readonly given?: string[];
  readonly plant?: Plant;
  readonly stored?: string;
  readonly absent?: string;
  readonly anyId?: boolean;
  readonly key?: 'number';
}

interface Group {
  readonly group: string;
  readonly key?: 'number';
  readonly anyId?: boolean;
  readonly cases: readonly WrittenCase[];
}
type Table = readonly Group[];

/** What is added to the ids that are placeholders. */
export interface Ids {
  /** In cases that store plants, or need stored ones. */
  readonly stored: bigint;
  /** In refused ones. */
  readonly refused: bigint;
}

const DEFAULT_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer {token}' };
const AS_WRITTEN: Ids = { stored: 0n, refused: 0n };
/** What the cases need to know of the properties. */
const MODEL = {
  isNumber: IS_NUMBER,
  text: TEXT,
  optional: OPTIONAL_TEXT,
  names: Object.keys(PROPERTIES),
  fits,
};

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const FILES = readdirSync(new URL('cases', import.meta.url)).sort();
const TABLE: unknown = [
  ...FILES.flatMap((file) => parse(read(`cases/${file}`))),
  propertyCases(),
  routeCases(),
];
const validate = new Ajv2020({ strictRequired: false, useDefaults: true }).compile<Table>(
  JSON.parse(read('cases.schema.json')),
);

/**
 * Reads the contract cases.
 * @param table in place of the files of cases/, parsed, and of the made cases
 * @param model decides which cases are left out: those about the digits of an id, if it is a text; those about a text, if there is none; those with a placeholder for the
 * name of a text, and a length that it may not have; and those with an unknown name that is that of a property
 * @throws Error with the name of the case, if the table does not match cases.schema.json or has a name twice
 */
export function loadCases(ids = AS_WRITTEN, table = TABLE, model = MODEL): ContractCase[] {
  if (!validate(table)) throw new Error(explain(table as Table));
  const names = table.flatMap(({ cases }) => cases.map(({ name }) => name));
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated) throw new Error(`There are two contract cases "${repeated}".`);
  const cases = table === TABLE && model === MODEL ? ofTable() : possibleCases(table, model);
  return cases.map(([group, written]) => inCase(written, () => expandCase(group, written, ids)));
}

type GroupedCase = [Group, WrittenCase];
let found: GroupedCase[] | undefined;

/** The cases of {@link TABLE} that are possible here: found once, because bodies of megabytes are read for it. */
function ofTable(): GroupedCase[] {
  found ??= possibleCases(TABLE as Table, MODEL);
  return found;
}

function possibleCases(table: Table, model: typeof MODEL): GroupedCase[] {
  const all = table.flatMap((group) => group.cases.map((written): GroupedCase => [group, written]));
  return all.filter(([group, written]) => inCase(written, () => isPossible(written, group, model)));
}

/** @throws Error with the name of the case, if the work fails */
function inCase<Result>({ name }: WrittenCase, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new Error(`Contract case "${name}": ${(error as Error).message}`);
  }
}

function explain(table: Table): string {
  const { instancePath = '', message, params } = validate.errors?.[0] ?? {};
  const [, group, , index] = instancePath.split('/');
  const name = table[Number(group)]?.cases?.[Number(index)]?.name;
  return `Contract case "${name}": ${instancePath} ${message} (${JSON.stringify(params)}).`;
}

/** Whether a plant can have the texts that a case gives it by placeholders. A case that writes out the name is about the limits. */
function isPossible(
  written: WrittenCase,
  group: Group,
  { isNumber, text, optional, names: ofModel, fits }: typeof MODEL,
): boolean {
  if (!isNumber && (written.key ?? group.key) === 'number') return false;
  const { body = '', given = [] } = written;
  const has = (placeholder: string) => JSON.stringify(written).includes(placeholder);
  if (text === undefined && (has('⟨text⟩') || has('⟨TEXT⟩'))) return false;
  if (optional === undefined && has('⟨optional⟩')) return false;
  if (unknownIn(body).some((name) => ofModel.includes(name))) return false;
  const names = [...(has('⟨text⟩') ? [String(text)] : []), ...(has('⟨optional⟩') ? [String(optional)] : [])];
  if (names.length === 0) return true;
  return [body, ...given].every((each) => {
    const plant = Object(jsonIn(String(expand(each, 0n, idJson))));
    return names.every((name) => typeof plant[name] !== 'string' || fits(name, plant[name]));
  });
}

function expandCase({ group, anyId = false }: Group, written: WrittenCase, ids: Ids): ContractCase {
  const { name, method, path, headers, body, given = [], error, canary } = written;
  const from = error !== undefined && given.length === 0 ? ids.refused : ids.stored;
  return {
    group,
    name,
    method,
    path: String(expand(path, from)),
    headers: Object.entries({ ...DEFAULT_HEADERS, ...headers }).flatMap(([header, values]) =>
      [values ?? []].flat().map((value): [string, string] => [header, value]),
    ),
    body: body === undefined ? undefined : expand(body, from, idJson),
    given: given.map((text) => expand(text, from, idJson)),
    expected: expectedOf(written, from),
    ids: [path, body ?? '', ...given].flatMap((text) => idsIn(text, from)),
    anyId: written.anyId ?? anyId,
    canary,
  };
}

function expectedOf(
  { path, body = '', given = [], plant, stored, error, names, absent }: WrittenCase,
  from: bigint,
): ContractCase['expected'] {
  if (error !== undefined) {
    const taken = given.flatMap((text) => idsIn(text, from));
    const free = idsIn(path + body, from).filter((id) => !taken.includes(id));
    return {
      status: 400,
      error,
      names: names && withNames(names),
      absent: absent === undefined ? free : [...free, absent],
    };
  }
  const id = stored === undefined ? idsIn(body, from)[0] : String(expand(stored, from));
  if (id === undefined) throw new Error('stored must say the id, which is not a placeholder.');
  const returned = plantIn(body, plant);
  return { status: 200, text: JSON.stringify(returned), stored: { id, ...returned } };
}
