import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/** One case of the contract: a request, and the answer that every implementation must give. */
export interface ContractCase {
  readonly group: string;
  /** A statement of behaviour; unique in the table. */
  readonly name: string;
  readonly method: string;
  /** The path, with its query if it has one. */
  readonly path: string;
  /** Names in lower case; a header sent twice is listed twice. Values may contain a {@link TokenKind} in braces. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The exact bytes of the body; undefined: no body. */
  readonly body: Buffer | undefined;
  /** Bodies to send first, in this order, with the default method, path and headers; each must get 200. */
  readonly given: readonly Buffer[];
  readonly expected: Accepted | Refused;
  /** The only way in which the case can be sent: to the function, or over HTTP to the gateway; undefined: both. */
  readonly only: 'handler' | 'http' | undefined;
}

/** The answer is a plant. */
export interface Accepted {
  readonly status: 200;
  /** The exact content of the body. */
  readonly plant: { readonly name: string; readonly tag?: string };
  /**
   * The id of the item that must be in the table afterwards, digit for digit; its name and tag are the plant's. If the
   * table does not give it: the id in the body, if that is written in plain digits.
   */
  readonly stored?: string | undefined;
}

/** The answer is an error. */
export interface Refused {
  readonly status: 400;
  readonly error: number;
  /** A text that the message must contain. */
  readonly message?: string | undefined;
  /**
   * The id of an item that must not be in the table afterwards. If the table does not give it: the id in the body, unless
   * the case has given plants or another case stores that id.
   */
  readonly absent?: string | undefined;
}

/**
 * A placeholder in braces in a header's value, which the code that sends the case replaces:
 * - `token`: a valid access token
 * - `expired`: an expired token
 * - `revoked`: a token that was valid and is no longer in the table
 * - `unknown`: a token with the right format and checksum that was never issued
 * - `mistyped`: the valid token with one character changed, so that its checksum is wrong
 * - `digest`: the SHA-256 digest of the valid token, in hex
 */
export type TokenKind = 'token' | 'expired' | 'revoked' | 'unknown' | 'mistyped' | 'digest';

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
const validate = new Ajv2020({ strictRequired: false, useDefaults: true }).compile<Table>(SCHEMA);

/**
 * Reads the table of contract cases.
 * @throws Error with the name of the case, if the table does not match cases.schema.json or has a name twice
 */
export function loadCases(file: URL = new URL('cases.yaml', import.meta.url)): ContractCase[] {
  const table: unknown = parse(readFileSync(file, 'utf8'));
  if (!validate(table)) throw new Error(explain(table as Table));
  const cases = table.flatMap(({ group, cases: written }) => written.map((each) => readCase(group, each)));
  const names = cases.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated) throw new Error(`There are two contract cases "${repeated}".`);
  return withAbsentIds(cases);
}

function withAbsentIds(cases: readonly ContractCase[]): ContractCase[] {
  const stored = new Set(
    cases.flatMap(({ given, expected }) => [
      ...given.map((body) => idIn(body)),
      expected.status === 200 ? expected.stored : undefined,
    ]),
  );
  return cases.map((each) => {
    const { body, given, expected } = each;
    if (expected.status === 200 || expected.absent !== undefined) return each;
    const id = idIn(body);
    // A given plant may have the same id, written differently.
    return given.length > 0 || stored.has(id) ? each : { ...each, expected: { ...expected, absent: id } };
  });
}

/** An id in plain digits, in a text that has no other property of this name. */
const PLAIN_ID = /"id"[ \t\r\n]*:[ \t\r\n]*(0|-?[1-9]\d*)(?=[ \t\r\n]*[,}])/g;

function idIn(body: Buffer | undefined): string | undefined {
  const [first, ...others] = body?.toString('latin1').matchAll(PLAIN_ID) ?? [];
  return others.length === 0 ? first?.[1] : undefined;
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
  const tag = plant.tag === undefined ? {} : { tag: expanded(plant.tag) };
  return { status: 200, plant: { name: expanded(plant.name), ...tag }, stored: stored ?? idIn(body) };
}

/** Writes out the repetitions in a text: `<⟨ab×3⟩>` becomes `<ababab>`. */
function expanded(text: string): string {
  return text.replace(/⟨(.+?)×(\d+)⟩/gu, (_, part: string, times: string) => part.repeat(Number(times)));
}
