import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Plant } from '../lambda/request/plant.ts';
import { readBody, readPieces } from './case-body.ts';
import { type Fields, fail, fieldsOf, listOf, textOf } from './fields.ts';

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
  readonly plant: Plant;
  /** The id of the item that must be in the table afterwards, digit for digit; its name and tag are the plant's. */
  readonly stored: string | undefined;
}

/** An error is answered. */
export interface Refused {
  readonly status: 400;
  readonly error: number;
  /** A text that the message must contain. */
  readonly message: string | undefined;
  /** The id of an item that must not be in the table afterwards. */
  readonly absent: string | undefined;
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

const GROUP_FIELDS = ['group', 'cases'];
const REQUEST_FIELDS = ['method', 'path', 'headers', 'body', 'hex', 'large', 'given', 'only'];
const CASE_FIELDS = ['name', ...REQUEST_FIELDS, 'plant', 'stored', 'error', 'message', 'absent'];

/** A number as the table writes an id: digits, without leading zeros, with a minus where it is negative. */
const ID = /^(?:0|-?[1-9]\d*)$/;
const HEADER_NAME = /^[a-z][a-z0-9-]*$/;

/**
 * Reads the table of contract cases.
 *
 * A case's fields, all but the name and the expectation optional:
 * - `method`, `path`: POST and /plants where nothing is said
 * - `headers`: by name, added to a content type of JSON and a valid token; `null` takes one of these away, a list
 *   sends a header several times
 * - one of `body` (raw text, sent as UTF-8), `hex` (raw bytes; spaces are for the eye) and `large` (a piece, or a list
 *   of pieces, each `prefix`, then `repeat` as many `times` as it says, then `suffix`; where a piece says how many
 *   `bytes` it has, that is checked here); none of them is no body at all
 * - `given`: bodies to be sent before, each of which must be accepted
 * - `only`: `handler` or `http`
 * - either `plant` (a name or tag may be written in pieces) with or without `stored`, or `error` with or without
 *   `message` and `absent`
 *
 * @throws Error naming the case, when a field is unknown, missing or of the wrong type, or a name is there twice
 */
export function loadCases(file: URL = new URL('cases.yaml', import.meta.url)): ContractCase[] {
  const cases = listOf(parse(readFileSync(file, 'utf8')), 'the table').flatMap(readGroup);
  const names = new Set<string>();
  for (const { name } of cases) {
    if (names.has(name)) fail(name, 'another case has the same name');
    names.add(name);
  }
  return cases;
}

function readGroup(value: unknown): ContractCase[] {
  const fields = fieldsOf(value, GROUP_FIELDS, 'a group');
  const group = textOf(fields.group, 'a group', 'group');
  return listOf(fields.cases, group).map((each) => readCase(group, each));
}

function readCase(group: string, value: unknown): ContractCase {
  const name = textOf((value as Fields | null)?.name, `a case in "${group}"`, 'name');
  const fields = fieldsOf(value, CASE_FIELDS, name);
  const { method, path } = { ...DEFAULTS, ...fields };
  const { only } = fields;
  if (only !== undefined && only !== 'handler' && only !== 'http') fail(name, 'only must be handler or http');
  return {
    group,
    name,
    method: textOf(method, name, 'method'),
    path: textOf(path, name, 'path'),
    headers: readHeaders(fields.headers ?? {}, name),
    body: readBody(fields, name),
    given: listOf(fields.given ?? [], name).map((body) => Buffer.from(textOf(body, name, 'given'))),
    expected: readExpected(fields, name),
    only,
  };
}

function readHeaders(value: unknown, name: string): [string, string][] {
  const headers = { ...DEFAULT_HEADERS, ...fieldsOf(value, undefined, name) };
  return Object.entries(headers).flatMap(([header, values]) => {
    if (!HEADER_NAME.test(header)) fail(name, `the header name ${header} must be in lower case`);
    if (values === null) return [];
    const several = Array.isArray(values) ? values : [values];
    if (several.length === 0) fail(name, `${header} has no value; null leaves it out`);
    return several.map((each): [string, string] => {
      const text = textOf(each, name, header);
      checkPlaceholders(text, name);
      return [header, text];
    });
  });
}

function checkPlaceholders(text: string, name: string): void {
  for (const [, placeholder] of text.matchAll(/\{(.*?)\}/g)) {
    if (!PLACEHOLDERS.some((known) => known === placeholder)) fail(name, `{${placeholder}} means nothing`);
  }
}

function readExpected(fields: Fields, name: string): Accepted | Refused {
  const { plant, stored, error, message, absent } = fields;
  if ((plant === undefined) === (error === undefined)) fail(name, 'expect either a plant or an error');
  if (plant !== undefined) {
    if (message !== undefined || absent !== undefined) fail(name, 'message and absent go with an error');
    return { status: 200, plant: readPlant(plant, name), stored: idOf(stored, name, 'stored') };
  }
  if (stored !== undefined) fail(name, 'stored goes with a plant');
  if (!Number.isInteger(error)) fail(name, 'error must be a whole number');
  return {
    status: 400,
    error: Number(error),
    message: message === undefined ? undefined : textOf(message, name, 'message'),
    absent: idOf(absent, name, 'absent'),
  };
}

function readPlant(value: unknown, name: string): Plant {
  const fields = fieldsOf(value, ['name', 'tag'], name);
  const text = (each: unknown, field: string) =>
    typeof each === 'object' ? readPieces(each, name) : textOf(each, name, field);
  const plant = { name: text(fields.name, 'name') };
  return fields.tag === undefined ? plant : { ...plant, tag: text(fields.tag, 'tag') };
}

function idOf(value: unknown, name: string, field: string): string | undefined {
  if (value === undefined) return undefined;
  const id = textOf(value, name, field);
  // A number would have lost its last digits on the way through YAML.
  return ID.test(id) ? id : fail(name, `${field} must be an id in quotes, in digits only`);
}
