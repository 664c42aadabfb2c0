import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { startTestService } from '../../support/test-service.ts';
import { roundTrip } from './round-trip.ts';

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('the stored plant is the plant that was sent', async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  test(`for any int64 id and any Unicode text (seed ${SEED})`, async () => {
    await fc.assert(roundTrip(service), { numRuns: 400, seed: SEED });
  });
});
