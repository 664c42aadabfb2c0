/** The token that the stub accepts, with a valid format and checksum. */
export const KNOWN_TOKEN = 'plants_00000000000000000000000000000000000000000003HnMlu';

/** A token with a valid format and checksum that was never issued. */
export const UNKNOWN_TOKEN = 'plants_0El6XFXwsUFD8J2vGxsaboW7rZYnQRBP5d9erwRwd292mzj2z';

/** The kinds of requests. */
export type Kind = 'accepted' | 'taken' | 'bad-json' | 'bad-plant' | 'no-token' | 'unknown-token';

/** The id for which the stub reports a different plant. */
export const TAKEN_ID = 4_090_000_000;

const plant = (id: number) => JSON.stringify({ id, name: 'Maidenhair fern', tag: 'shade' });

const BODIES: Partial<Record<Kind, (id: number) => string>> = {
  'bad-json': () => '{"id": 1, "name": "Maidenhair fern", "tag": ',
  'bad-plant': (id) => JSON.stringify({ id, name: 7, tag: 'shade' }),
  taken: () => plant(TAKEN_ID),
};

/**
 * A request as a REST API passes it on (proxy event, payload version 1.0, every body as base64), as JSON text.
 * @param id the plant's id, and part of the request's id
 */
export function proxyEvent(kind: Kind, id: number): string {
  const body = (BODIES[kind] ?? plant)(id);
  const token = kind === 'unknown-token' ? UNKNOWN_TOKEN : KNOWN_TOKEN;
  const headers: Record<string, string> = {
    Accept: '*/*',
    ...(kind === 'no-token' ? {} : { Authorization: `Bearer ${token}` }),
    'Content-Type': 'application/json',
    Host: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com',
    'User-Agent': 'plant-store-bench',
    'X-Amzn-Trace-Id': 'Root=1-67891233-abcdef012345678912345678',
    'X-Forwarded-For': '192.0.2.1',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
  };
  return JSON.stringify({
    resource: '/plants',
    path: '/plants',
    httpMethod: 'POST',
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      requestId: `c6af9ac6-7b61-11e6-9a41-${String(id).padStart(12, '0')}`,
      extendedRequestId: 'BxYzAbCdEfGhIjk=',
      httpMethod: 'POST',
      path: '/prod/plants',
      stage: 'prod',
      domainName: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com',
      identity: { sourceIp: '192.0.2.1', userAgent: 'plant-store-bench' },
    },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });
}
