import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { roundTrip } from './round-trip.ts';

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('what is read back is what was sent', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  test(`any int64 digit for digit, any Unicode byte for byte (seed ${SEED})`, async () => {
    await fc.assert(roundTrip(service), { numRuns: 400, seed: SEED });
  });
});
