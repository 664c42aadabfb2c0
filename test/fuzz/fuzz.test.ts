import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { contractViolations, type HttpResponse } from '../support/contract-runner.ts';
import { runsOf } from '../support/exhaustive.ts';
import { RETURNED } from '../support/properties.ts';
import { plantEvent, type StoredItem, startTestService } from '../support/test-service.ts';
import { BODIES } from './bodies.ts';
import { ODD_EVENTS } from './odd-events.ts';
import { judgeBody } from './oracle.ts';

/** `RUNS=100000 SEED=1 npx vitest run test/fuzz` makes a longer run, and repeats it. */
const { RUNS, SEED = Math.floor(Math.random() * 2 ** 31) } = process.env;
const seed = Number(SEED);
const runs = Number(RUNS ?? runsOf(3_000, 'random requests'));

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

  test.each(ODD_EVENTS)('an event that no gateway sends: $name', async ({ event, number }) => {
    expect((await send(event(service.token))).number).toBe(number);
  });
});
