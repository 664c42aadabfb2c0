import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { contractViolations, type HttpResponse } from '../support/contract-runner.ts';
import { runsOf } from '../support/exhaustive.ts';
import { RETURNED } from '../support/properties.ts';
import { plantEvent, type StoredItem, startTestService } from '../support/test-service.ts';
import { BODIES } from './bodies.ts';
import { judgeBody } from './oracle.ts';

/** `RUNS=100000 SEED=1 npx vitest run test/fuzz` makes a longer run, and repeats it. */
const { RUNS, SEED = Math.floor(Math.random() * 2 ** 31) } = process.env;
const seed = Number(SEED);
const runs = Number(RUNS ?? runsOf(3_000, 'random requests'));

const BODY = bodyOf(-40401);

/** Events that no gateway sends: fields of a valid event that are replaced, and 200 or the number of the error. */
const ODD_FIELDS: readonly [fields: object, number: number][] = [
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

describe(`random requests (seed ${seed})`, async () => {
  const service = await startTestService();
  const plants = new Map<string, StoredItem>();
  afterAll(() => service.close());

  /** Sends an event. @returns 200 or the number of the error, and the body @throws Error if the contract has no such response */
  async function send(event: unknown) {
    // A million lines would fill the memory.
    service.lines.length = 0;
    const response = await service.handler(event);
    const wrong = contractViolations({ ...response, status: response.statusCode } as unknown as HttpResponse);
    expect(wrong).toEqual([]);
    const { body, statusCode } = response;
    return { body, number: statusCode === 200 ? 200 : (JSON.parse(body).error as number) };
  }

  test.each(BODIES)('the response and the store are as the oracle says: $name', async ({ share, bodies }) => {
    const property = fc.asyncProperty(bodies, fc.nat(9), async (text, dice) => {
      // The gateway sends base64; a text must be read too.
      const isText = dice === 0 && typeof text === 'string';
      const plain = isText ? { body: text, isBase64Encoded: false } : {};
      const { number, body } = await send(plantEvent(service.token, text, plain));
      const isUnicode = !isText || text.isWellFormed();
      const verdict = isUnicode ? judgeBody(Buffer.from(text as string)) : { error: 40001 };
      if ('error' in verdict) {
        expect(number).toBe(verdict.error);
        return;
      }
      const before = plants.get(verdict.id);
      const stored = before ?? (verdict as unknown as StoredItem);
      plants.set(verdict.id, stored);
      expect(await service.item(verdict.id)).toEqual(stored);
      const { id: _, ...sent } = verdict;
      const isSame = JSON.stringify(stored, RETURNED) === JSON.stringify(sent, RETURNED);
      expect(number).toBe(isSame ? 200 : 40901);
      if (isSame) expect(body).toBe(JSON.stringify(sent, RETURNED));
    });
    await fc.assert(property, { numRuns: Math.ceil(runs * share), seed });
  });

  test.each([undefined, null, 7, 'text', [], [[]], { Records: [] }])('no HTTP request: %j', async (event) => {
    expect((await send(event)).number).toBe(40401);
  });

  test.each(ODD_FIELDS)('an event that no gateway sends: %j', async (fields, number) => {
    expect((await send({ ...plantEvent(service.token, BODY), ...fields })).number).toBe(number);
  });
});
