import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/**
 * How a case can be sent: directly to the function, or over HTTP through the gateway.
 */
export type Way = 'handler' | 'http';

/** One case of the contract: a request, and the answer that every implementation must give. */
export interface ContractCase {
  readonly group: string;
  /** A statement of behaviour; unique in the table. */
  readonly name: string;
  readonly method: string;
  /** The path, with its query if it has one. */
  readonly path: string;
  /** Names in lower case; a header that is sent twice is listed twice. Values may contain {@link PLACEHOLDERS}. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The exact bytes of the body; undefined: no body. */
  readonly body: Buffer | undefined;
  /** Bodies to send first, in this order, with the default method, path and headers; each must get 200. */
  readonly given: readonly Buffer[];
  readonly expected: Accepted | Refused;
  /** The only way in which the case can be sent; undefined: both. */
  readonly only: Way | undefined;
}

/** The answer is a plant. */
export interface Accepted {
  readonly status: 200;
  /** The exact content of the body. */
  readonly plant: { readonly name: string; readonly tag?: string };
  /** The id of the item that must be in the table afterwards, digit for digit; its name and tag are the plant's. */
  readonly stored?: string | undefined;
}

/** The answer is an error. */
export interface Refused {
  readonly status: 400;
  readonly error: number;
  /** A text that the message must contain. */
  readonly message?: string | undefined;
  /** The id of an item that must not be in the table afterwards. */
  readonly absent?: string | undefined;
}

/**
 * Placeholders in braces in a header's value; the code that sends a case replaces them:
 * - `token`: a valid access token
 * - `expired`: an expired token
 * - `revoked`: a token that was valid and is no longer in the table
 * - `unknown`: a token with the right format and checksum that was never issued
 * - `mistyped`: the valid token with one character changed, so that its checksum is wrong
 * - `digest`: the SHA-256 digest of the valid token, in hex
 */
export const PLACEHOLDERS = ['token', 'expired', 'revoked', 'unknown', 'mistyped', 'digest'] as const;

const DEFAULTS = { method: 'POST', path: '/plants' };
const DEFAULT_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer {token}' };

/** A case as written in cases.yaml; cases.schema.json explains the fields. */
interface WrittenCase {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: string;
  readonly hex?: string;
  readonly large?: Pieces;
  readonly given?: string[];
  readonly only?: Way;
  readonly plant?: { readonly name: string | Pieces; readonly tag?: string | Pieces };
  readonly stored?: string;
  readonly error?: number;
  readonly message?: string;
  readonly absent?: string;
}

/** Describes a long text: `repeat`, `times` times, between `prefix` and `suffix`. */
interface Piece {
  readonly prefix?: string;
  readonly repeat: string;
  readonly times: number;
  readonly suffix?: string;
  /** The number of bytes that the piece must have. */
  readonly bytes?: number;
}

type Pieces = Piece | readonly Piece[];

/**
 * Reads the table of contract cases.
 * @throws Error with the name of the case, if the table does not match cases.schema.json or has a name twice
 */
export function loadCases(file: URL = new URL('cases.yaml', import.meta.url)): ContractCase[] {
  const table: unknown = parse(readFileSync(file, 'utf8'));
  requireSchema(table);
  const cases = table.flatMap(({ group, cases: written }) => written.map((each) => readCase(group, each)));
  const names = new Set<string>();
  for (const { name } of cases) {
    if (names.has(name)) throw new Error(`There are two contract cases "${name}".`);
    names.add(name);
  }
  return cases;
}

type Table = readonly { readonly group: string; readonly cases: readonly WrittenCase[] }[];

function requireSchema(table: unknown): asserts table is Table {
  const schema = JSON.parse(readFileSync(new URL('cases.schema.json', import.meta.url), 'utf8'));
  const validate = new Ajv2020({ strictRequired: false }).compile(schema);
  if (validate(table)) return;
  const { instancePath = '', message, params } = validate.errors?.[0] ?? {};
  const [, group, , index] = instancePath.split('/');
  const name = (table as Table)[Number(group)]?.cases?.[Number(index)]?.name;
  throw new Error(`Contract case "${name}": ${instancePath} ${message} (${JSON.stringify(params)}).`);
}

function readCase(group: string, written: WrittenCase): ContractCase {
  const { name, method, path, only } = { ...DEFAULTS, ...written };
  return {
    group,
    name,
    method,
    path,
    headers: Object.entries({ ...DEFAULT_HEADERS, ...written.headers }).flatMap(([header, values]) =>
      [values ?? []].flat().map((value): [string, string] => [header, value]),
    ),
    body: bodyOf(written),
    given: (written.given ?? []).map((body) => Buffer.from(body)),
    expected: expectedOf(written),
    only,
  };
}

function bodyOf({ name, body, hex, large }: WrittenCase): Buffer | undefined {
  if (hex !== undefined) return Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const text = large === undefined ? body : textOf(large, name);
  return text === undefined ? undefined : Buffer.from(text);
}

function expectedOf({ name, plant, stored, error = 0, message, absent }: WrittenCase): Accepted | Refused {
  if (!plant) return { status: 400, error, message, absent };
  const tag = plant.tag === undefined ? {} : { tag: textOf(plant.tag, name) };
  return { status: 200, plant: { name: textOf(plant.name, name), ...tag }, stored };
}

function textOf(text: string | Pieces, caseName: string): string {
  if (typeof text === 'string') return text;
  return [text]
    .flat()
    .map((piece) => pieceOf(piece, caseName))
    .join('');
}

function pieceOf({ prefix = '', repeat, times, suffix = '', bytes }: Piece, caseName: string): string {
  const text = prefix + repeat.repeat(times) + suffix;
  const length = Buffer.byteLength(text);
  if (bytes === undefined || bytes === length) return text;
  throw new Error(`Contract case "${caseName}": bytes is ${bytes}, but the piece has ${length}.`);
}
