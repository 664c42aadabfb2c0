import { plantEvent } from '../support/test-service.ts';

const BODY = '{"id":-40401,"name":"Odd"}';

/** Fields of a valid event that are replaced, and 200 or the number of the error. */
const FIELDS: readonly [fields: object, number: number][] = [
  [{ httpMethod: ['POST'] }, 40401],
  [{ resource: null }, 40401],
  [{ path: { length: 7 } }, 40401],
  [{ headers: 'Authorization', multiValueHeaders: 7 }, 40101],
  [{ headers: { authorization: {} } }, 40101],
  [{ multiValueHeaders: { 'content-type': [null, 7] } }, 200],
  [{ multiValueHeaders: { constructor: ['x'], __proto__: ['y'] } }, 200],
  [{ body: 7 }, 40001],
  [{ body: { id: 1 }, isBase64Encoded: true }, 40001],
  [{ body: BODY, isBase64Encoded: 'true' }, 200],
  [{ body: BODY, isBase64Encoded: null }, 200],
  [{ body: '\ud83c', isBase64Encoded: false }, 40001],
  [{ requestContext: null }, 200],
  [{ requestContext: 'text' }, 200],
  [{ requestContext: { requestId: '', extendedRequestId: 7, identity: 'x' } }, 200],
  [{ requestContext: { requestId: 'a\r\nb', identity: { sourceIp: {} } } }, 200],
  [{ requestContext: { requestId: { toString: 7 } } }, 200],
];

/** Events that no gateway sends: each gets a response that conforms to the contract, and never throws. */
export const ODD_EVENTS = [
  ...[undefined, null, 7, 'text', [], [[]], { Records: [] }].map((event) => ({
    name: JSON.stringify(event),
    event: (_: string): unknown => event,
    number: 40401,
  })),
  ...FIELDS.map(([fields, number]) => ({
    name: JSON.stringify(fields),
    event: (token: string): unknown => ({ ...plantEvent(token, BODY), ...fields }),
    number,
  })),
];
