import fc from 'fast-check';
import { plantEvent } from '../../support/test-service.ts';
import type { Events } from './events.ts';
import { anyText } from './json-texts.ts';
import { nearPlant } from './plant-texts.ts';

const mediaType = fc
  .tuple(
    fc.constantFrom('application', 'Application', 'text', ' application', 'app', ''),
    fc.constantFrom('/', '/', '/', '//', ' / '),
    fc.constantFrom(
      'json',
      'JSON',
      'vnd.plants+json',
      'jsonp',
      '+json',
      'json+json',
      'x+json+xml',
      'json,text/html',
      'a b+json',
    ),
    fc.constantFrom('', ';', ' ; charset=utf-8', ';charset="x"', '\t;', ' ', ' json'),
  )
  .map((parts) => parts.join(''));
const coding = fc.constantFrom('identity', ' Identity ', 'gzip', '', 'identity,gzip', 'br');
const path = fc.constantFrom(
  '/plants',
  '/v1/plants',
  '/plants/',
  '//plants',
  '/Plants',
  '/plants?x',
  'plants',
  '/',
  '',
  '/xplants',
);

function authorization(token: string): fc.Arbitrary<string> {
  const credentials = fc.constantFrom(
    token,
    ` ${token}`,
    `${token} `,
    `${token},`,
    token.slice(1),
    '',
    `"${token}"`,
    `${token}\n`,
  );
  const scheme = fc.constantFrom('Bearer ', 'bearer ', 'BEARER   ', 'Bearer', 'Basic ', 'Bearer\t', '');
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(`Bearer ${token}`) },
    { weight: 4, arbitrary: fc.tuple(scheme, credentials).map(([a, b]) => a + b) },
    { weight: 1, arbitrary: anyText },
  );
}

/** Headers, methods and paths that are valid or nearly valid; headers may be repeated. */
export const headers: Events = (token) => {
  const mostly = <T>(right: T, other: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 5, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: other });
  const name = (text: string) => fc.constantFrom(text, text.toLowerCase(), text.toUpperCase());
  const values = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 2 });
  const entries = fc.tuple(
    fc.tuple(name('Authorization'), values(authorization(token))),
    fc.tuple(name('Content-Type'), values(mediaType)),
    fc.tuple(name('Content-Encoding'), values(coding)),
  );
  return fc
    .record({
      entries,
      keep: fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 2 }), fc.nat({ max: 3 })),
      many: fc.boolean(),
      httpMethod: mostly('POST', fc.constantFrom('GET', 'post', 'PUT', 'HEAD', '')),
      resource: mostly('/plants', path),
      path: mostly('/plants', path),
      body: fc.oneof(nearPlant, fc.constant('{"id":1,"name":"Fern"}')),
    })
    .map(({ entries: [authorize, type, encode], keep, many, body, ...route }) => {
      const kept = [
        keep[0] > 0 ? authorize : undefined,
        keep[1] > 0 ? type : undefined,
        keep[2] === 0 ? encode : undefined,
      ];
      const all = Object.fromEntries(kept.filter((each) => each !== undefined));
      const last = Object.fromEntries(Object.entries(all).map(([key, list]) => [key, list.at(-1)]));
      return plantEvent(token, body, {
        ...route,
        headers: last as never,
        multiValueHeaders: many ? all : (null as never),
      });
    });
};

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
          requestContext: fc.oneof(fc.anything(), fc.record({ requestId: fc.anything() })),
        },
        { requiredKeys: [] },
      )
      .chain((odd) => fc.constantFrom(odd, { ...plantEvent(token, '{"id":1,"name":"Fern"}'), ...odd })),
  );
