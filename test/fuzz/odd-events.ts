import fc from 'fast-check';
import { bodyOf } from '../../contract/examples.ts';
import { plantEvent } from '../support/test-service.ts';
import type { Events } from './events.ts';
import { anyText } from './json-texts.ts';
import { nearPlant } from './plant-texts.ts';

const concatenated = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));

const subtypes = 'json|JSON|vnd.plants+json|jsonp|+json|json+json|x+json+xml|json,text/html|a b+json';
const mediaType = concatenated(
  fc.constantFrom('application', 'Application', 'text', ' application', 'app', ''),
  fc.constantFrom('/', '/', '/', '//', ' / '),
  fc.constantFrom(...subtypes.split('|')),
  fc.constantFrom('', ';', ' ; charset=utf-8', ';charset="x"', '\t;', ' ', ' json'),
);
const coding = fc.constantFrom('identity', ' Identity ', 'gzip', '', 'identity,gzip', 'br');
const path = fc.stringMatching(/^(\/|\/\/|\/v1\/|\/x)?([Pp]lants)?(\/|\?x)?$/);

function authorization(token: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(`Bearer ${token}`) },
    {
      weight: 4,
      arbitrary: concatenated(
        fc.constantFrom('Bearer ', 'bearer ', 'BEARER   ', 'Bearer', 'Basic ', 'Bearer\t', ''),
        fc.constantFrom('', '', ' ', '"'),
        fc.constantFrom(token, token, token.slice(1), ''),
        fc.constantFrom('', '', ' ', ',', '"', '\n'),
      ),
    },
    { weight: 1, arbitrary: anyText },
  );
}

/** A header under one of its names, with one or two values. */
function header(name: string, value: fc.Arbitrary<string>) {
  const names = fc.constantFrom(name, name.toLowerCase(), name.toUpperCase());
  return fc.tuple(names, fc.array(value, { minLength: 1, maxLength: 2 }));
}

function mostly(right: string, other: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: other });
}

/** Headers, methods and paths that are valid or nearly valid; headers may be repeated. */
export const headers: Events = (token) =>
  fc
    .record({
      authorize: fc.option(header('Authorization', authorization(token)), { freq: 10 }),
      type: fc.option(header('Content-Type', mediaType), { freq: 3 }),
      encode: fc.option(header('Content-Encoding', coding), { freq: 1 }),
      hasLists: fc.boolean(),
      httpMethod: mostly('POST', fc.constantFrom('GET', 'post', 'PUT', 'HEAD', '')),
      resource: mostly('/plants', path),
      path: mostly('/plants', path),
      body: fc.oneof(nearPlant, fc.constant(bodyOf(1))),
    })
    .map(({ authorize, type, encode, hasLists, body, ...route }) => {
      const all = [authorize, type, encode].filter((each) => each !== null);
      const last = Object.fromEntries(all.map(([name, values]) => [name, values.at(-1)]));
      const multiValueHeaders = hasLists ? Object.fromEntries(all) : (null as never);
      return plantEvent(token, body, { ...route, headers: last as never, multiValueHeaders });
    });

/** Events that no gateway sends: any value in any field. */
export const shapes: Events = (token) =>
  fc.oneof(
    fc.anything().map((event) => event as object),
    fc
      .record(
        {
          httpMethod: fc.anything(),
          resource: fc.anything(),
          path: fc.anything(),
          headers: fc.anything(),
          multiValueHeaders: fc.anything(),
          body: fc.oneof(fc.anything(), fc.base64String()),
          isBase64Encoded: fc.anything(),
          requestContext: fc.oneof(
            fc.anything(),
            fc.record({ requestId: fc.anything(), extendedRequestId: fc.anything() }),
          ),
        },
        { requiredKeys: [] },
      )
      .chain((odd) => fc.constantFrom(odd, { ...plantEvent(token, bodyOf(1)), ...odd })),
  );
