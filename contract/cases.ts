import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/**
 * Where a case can be sent: straight into the function, or over HTTP through the gateway in front of it. A case that
 * does not say can be sent either way.
 */
export type Way = 'handler' | 'http';

/** One case of the contract: what is sent, and what every implementation must answer. */
export interface ContractCase {
  readonly group: string;
  /** A statement of behaviour; unique in the table. */
  readonly name: string;
  readonly method: string;
  /** The path, with its query if it has one. */
  readonly path: string;
  /** Names in lower case; a name comes as often as it is to be sent. Values may hold {@link PLACEHOLDERS}. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The exact bytes of the body; without it there is no body at all. */
  readonly body: Buffer | undefined;
  /** Bodies to be sent before, one after the other, with the default method, path and headers; each must answer 200. */
  readonly given: readonly Buffer[];
  readonly expected: Accepted | Refused;
  /** The only way in which the case can be sent, if it cannot go both ways. */
  readonly only: Way | undefined;
}

/** The plant is answered. */
export interface Accepted {
  readonly status: 200;
  /** Exactly the body of the answer. */
  readonly plant: { readonly name: string; readonly tag?: string };
  /** The id of the item that must be in the table afterwards, digit for digit; its name and tag are the plant's. */
  readonly stored?: string | undefined;
}

/** An error is answered. */
export interface Refused {
  readonly status: 400;
  readonly error: number;
  /** A text that the message must contain. */
  readonly message?: string | undefined;
  /** The id of an item that must not be in the table afterwards. */
  readonly absent?: string | undefined;
}

/**
 * What a header's value may hold in braces, for whoever sends the cases to replace:
 * - `token`: a valid access token
 * - `expired`: one whose time is over
 * - `revoked`: one that was valid once, and is in the table no longer
 * - `unknown`: one of the right shape and checksum that was never issued
 * - `mistyped`: a valid one with one character changed, so that its checksum is wrong
 * - `digest`: the SHA-256 digest of the valid one, in hex
 */
export const PLACEHOLDERS = ['token', 'expired', 'revoked', 'unknown', 'mistyped', 'digest'] as const;

const DEFAULTS = { method: 'POST', path: '/plants' };
const DEFAULT_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer {token}' };

/** A case as cases.yaml has it; cases.schema.json explains the fields. */
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

/** A long text, written short: `repeat` as often as `times` says, between `prefix` and `suffix`. */
interface Piece {
  readonly prefix?: string;
  readonly repeat: string;
  readonly times: number;
  readonly suffix?: string;
  /** How many bytes the piece must come to. */
  readonly bytes?: number;
}

type Pieces = Piece | readonly Piece[];

/**
 * Reads the table of contract cases.
 * @throws Error naming the case, when the table does not follow cases.schema.json or has a name twice
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
  throw new Error(`Contract case "${caseName}": bytes says ${bytes}, but there are ${length}.`);
}
