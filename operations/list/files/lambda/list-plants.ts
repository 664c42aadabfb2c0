import { Failure } from './errors.ts';
import { type Json, jsonOf, NumberLiteral } from './json.ts';
import { LISTED_BY } from './listed-by.ts';
import { type NewPlant, PROPERTIES } from './plant.ts';
import { integer } from './property-types/integer.ts';
import type { TypeName } from './property-types/property-type.ts';
import type { Operation } from './request/invocation.ts';
import { parseJson } from './request/parse-json.ts';
import { bearerToken, type ProxyEvent } from './request/proxy-event.ts';
import { resultResponse } from './response/responses.ts';
import type { List } from './store/list.ts';
import type { TokenFinder } from './tokens/access-token-table.ts';

const LIMIT = integer({ minimum: 1, maximum: 100 });

/** Lists the plants with a value of a property: a page of them. */
export function listPlants(accessTokens: TokenFinder, list: List): Operation {
  return async ({ event, requestId, calls, log }) => {
    log.token = await accessTokens.find(bearerToken(event), calls);
    const { type } = PROPERTIES[LISTED_BY];
    // What an index can hold is never empty.
    const value = type.read(jsonIn(parameter(event, LISTED_BY) ?? '', type.schema.type), { path: LISTED_BY });
    const limit = LIMIT.read(jsonIn(parameter(event, 'limit') ?? '25', 'integer'), { path: 'limit' });
    const page = parameter(event, 'page');
    const after = page === undefined ? undefined : idIn(page, value);
    const { found, last } = await list(value, Number(limit), after, calls);
    log.outcome = 'listed';
    const next = last === undefined ? undefined : pageAfter(last, value);
    return resultResponse({ plants: found, next }, requestId);
  };
}

/** A text of a query as a type reads it: a number is its digits. */
function jsonIn(text: string, type: TypeName): Json {
  const literal = new NumberLiteral(text);
  const forms: Partial<Record<TypeName, Json>> = { string: text, integer: literal, number: literal };
  return forms[type] as Json;
}

/** A page as clients send it: opaque to them, and of one list only. */
function pageAfter(id: NewPlant['id'], value: unknown): string {
  return Buffer.from(jsonOf([value, id])).toString('base64url');
}

function idIn(page: string, value: unknown): NewPlant['id'] {
  try {
    const [, last = null] = parseJson(Buffer.from(page, 'base64url').toString()) as readonly Json[];
    const id = PROPERTIES.id.type.read(last, { path: 'page' });
    if (pageAfter(id, value) === page) return id;
  } catch {
    // Whatever is wrong with it, it is no page of this list.
  }
  throw new Failure('INVALID_PLANT', { message: 'page must be the next of a page of the same list.' });
}

function parameter({ multiValueQueryStringParameters: query }: ProxyEvent, name: string): string | undefined {
  const [value, ...others] = [Object(query)[name] ?? []].flat();
  if (others.length === 0 && (value === undefined || typeof value === 'string')) return value;
  throw new Failure('INVALID_PLANT', { message: `${name} must be given once.` });
}
