import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { runsOf } from '../support/exhaustive.ts';
import { startTestService } from '../support/test-service.ts';
import { fuzzes } from './properties.ts';
import { subjectInMemory, subjectOver } from './subject.ts';

/** `SEED=… npx vitest run test/fuzz` repeats a run. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

describe(`random requests (seed ${seed})`, async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  test.each(fuzzes(subjectInMemory(), runsOf(3_000, 'random requests')))(
    'every response conforms to the contract: $name',
    ({ property, numRuns }) => fc.assert(property, { numRuns, seed }),
  );

  test.each(fuzzes(subjectOver(service), runsOf(300, 'random requests over a real store')))(
    'every response conforms to the contract over a real store: $name',
    ({ property, numRuns }) => fc.assert(property, { numRuns, seed }),
  );
});
