import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import { SCHEMAS } from '../support/contract-runner.ts';
import { OTHERS, SCHEMAS as WRITTEN } from '../support/properties.ts';
import { judgeJson } from './json-oracle.ts';

// The limits that openapi.yaml publishes.
const BODY_BYTES = 1_048_576;
/** For the names and the values of all properties but the id; an item has 409,600 bytes, of which the id takes 14. */
const OTHERS_BYTES = 409_586;
/** The most bytes of a number. */
const NUMBER_BYTES = 12;
const ID_CHARACTERS = 128;
const INTEGERS = ['id', ...OTHERS.filter((name) => WRITTEN.NewPlant.properties[name]?.type === 'integer')];

/** A plant that must be stored according to the contract. */
export interface JudgedPlant {
  readonly id: string;
  /** The others, in the order of the schema. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What the contract requires for a request, regardless of what is stored already. */
export type Verdict = { readonly plant: JudgedPlant } | { readonly errors: readonly number[] };

type Fields = Readonly<Record<string, unknown>>;
const refuse = (...errors: number[]): Verdict => ({ errors });

/**
 * Judges an event by the contract, without code of the service: the shape by the schema in openapi.yaml, numbers by exact
 * arithmetic, JSON and UTF-8 by Node, media types by `MIMEType`.
 * @param token the one valid access token
 */
export function judge(event: unknown, token: string): Verdict {
  const fields: Fields = typeof event === 'object' && event !== null ? (event as Fields) : {};
  if (!isOperation(fields)) return refuse(40401);
  const authorized = judgeToken(values(fields, 'authorization'), token);
  if (authorized.length > 0) return { errors: authorized };
  if (!values(fields, 'content-type').every(isJsonType)) return refuse(41501);
  const isPlain = (coding: string) => /^\s*identity\s*$/i.test(coding);
  if (!values(fields, 'content-encoding').every(isPlain)) return refuse(41501);
  const { body, isBase64Encoded } = fields;
  const text = typeof body === 'string' ? body : '';
  const bytes = Buffer.from(text, isBase64Encoded === true ? 'base64' : 'utf8');
  if (bytes.length > BODY_BYTES) return refuse(41301);
  if (isBase64Encoded !== true && bytes.toString() !== text) return refuse(40001);
  return judgeBody(bytes);
}

/** Judges the bytes of a body within the size limit. */
export function judgeBody(bytes: Buffer): Verdict {
  if (!isUtf8(bytes)) return refuse(40001);
  const json = judgeJson(bytes.toString());
  if (!json.ok) return refuse(40001);
  const { value, properties } = json;
  const integerOf = (name: string) => {
    const literal = /^#(.*)$/.exec(properties.get(name) ?? '')?.[1];
    return literal === undefined ? [] : [literal.length <= ID_CHARACTERS ? int64Of(literal) : undefined];
  };
  const [id] = integerOf('id');
  // Parsed JSON has a double in place of an integer, also of `1e-900`, so the validator gets 0.5 for one that is not valid, and
  // 1 for a valid id.
  const exact = INTEGERS.flatMap((name) =>
    integerOf(name).map((each) => [name, each === undefined ? 0.5 : name === 'id' ? 1 : Number(each)]),
  );
  const shape = exact.length === 0 ? value : { ...(value as Fields), ...Object.fromEntries(exact) };
  if (!SCHEMAS.NewPlant(shape)) return refuse(40002);
  const given = OTHERS.filter((name) => Object.hasOwn(shape as Fields, name));
  const plant = Object.fromEntries(given.map((name) => [name, (shape as Fields)[name]]));
  const texts = Object.values(plant).filter((value) => typeof value === 'string');
  if (texts.some((each) => Buffer.from(each).toString() !== each)) return refuse(40002);
  const size = Object.entries(plant)
    .flat()
    .reduce<number>(
      (sum, each) => sum + (typeof each === 'string' ? Buffer.byteLength(each) : NUMBER_BYTES),
      0,
    );
  return size > OTHERS_BYTES ? refuse(41301) : { plant: { id: String(id), properties: plant } };
}

function isOperation({ httpMethod, path, resource }: Fields): boolean {
  if (httpMethod !== 'POST' || typeof path !== 'string') return false;
  if (resource !== undefined ? resource !== '/plants' : path !== '/plants') return false;
  return path.endsWith('/plants') && !path.endsWith('//plants');
}

/** @returns the errors that are allowed; none for the valid token */
function judgeToken(authorizations: string[], token: string): number[] {
  if (authorizations.length > 1) return [40102];
  const [value = ''] = authorizations;
  // An HTTP header cannot contain these, so the contract allows either error.
  if (/[\r\n\u2028\u2029]/.test(value)) return [40101, 40102];
  const [scheme = '', ...rest] = value.split(' ');
  const credentials = rest.join(' ').replace(/^ +/, '');
  if (scheme.toLowerCase() !== 'bearer' || credentials === '') return [40101];
  return credentials === token ? [] : [40102];
}

function isJsonType(type: string): boolean {
  try {
    const { type: top, subtype } = new MIMEType(type);
    // RFC 6838 §4.2 allows fewer characters in a name than in a MIME token.
    const isName = /^[a-z0-9!#$&^_.+-]+$/.test(subtype);
    return top === 'application' && isName && (subtype === 'json' || /.\+json$/.test(subtype));
  } catch {
    return false;
  }
}

/** All string values of a header; `multiValueHeaders` takes precedence if it has any. */
function values(event: Fields, name: string): string[] {
  const found = [event.multiValueHeaders, event.headers].map((headers) =>
    Object.entries(Object(headers))
      .filter(([key]) => key.toLowerCase() === name)
      .flatMap(([, value]) => value)
      .filter((each) => typeof each === 'string'),
  );
  return found.find((texts) => texts.length > 0) ?? [];
}

/**
 * The value of a JSON number, if it is an int64. Computes the exact fraction mantissa × 10^exponent; the service uses
 * another method, which only handles the significant digits.
 * @param literal a valid JSON number of at most 128 characters
 */
function int64Of(literal: string): bigint | undefined {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction);
  const power = BigInt(exponent.replace('+', '')) - BigInt(fraction.length);
  if (digits === 0n) return 0n;
  // With at most 128 digits, such a value exceeds int64 or has a fraction. Computing 10n ** power would fill the memory.
  if (power > 200n || power < -200n) return undefined;
  const numerator = power > 0n ? digits * 10n ** power : digits;
  const denominator = power < 0n ? 10n ** -power : 1n;
  if (numerator % denominator !== 0n) return undefined;
  const value = literal.startsWith('-') ? -(numerator / denominator) : numerator / denominator;
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
