import querystring from 'node:querystring';
import { Failure } from '../errors.ts';
import { type NewPlant, PROPERTIES } from '../plant.ts';
import type { TypeName } from '../property-types/property-type.ts';
import { parametersOf, type Route } from '../routes.ts';
import { parseJson } from './parse-json.ts';
import type { ProxyEvent } from './proxy-event.ts';

/** What an id has on both sides in JSON: a number has nothing. */
const QUOTES: Partial<Record<TypeName, string>> = { integer: '', string: '"' };
const QUOTE = QUOTES[PROPERTIES.id.type.schema.type];

/**
 * Reads the id in the path of a request, by the type of `id`. Not by `Number`, which rounds; and not by `decodeURIComponent`, which throws at
 * `%zz`.
 * @param route has `{id}` in its path
 * @throws Failure 40002 if it is no id as the service writes it: 7, but not 7.0
 */
export function pathId(route: Route, event: ProxyEvent): NewPlant['id'] {
  const { id: sent } = parametersOf(route, String(event.path)) as { id: string };
  const text = querystring.unescape(sent);
  try {
    const id = PROPERTIES.id.type.read(parseJson(`${QUOTE}${text}${QUOTE}`), { path: 'id' });
    if (String(id) === text) return id;
  } catch {
    // Whatever is wrong with it, it is no id.
  }
  throw new Failure('INVALID_PLANT', { message: 'id in the path must be that of a plant.' });
}
