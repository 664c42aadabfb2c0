import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { startTestService } from '../../support/test-service.ts';
import { FUZZES } from './properties.ts';
import { Referee } from './referee.ts';
import { roundTrip } from './round-trip.ts';
import { subjectInMemory, subjectOver } from './subject.ts';

/** `SEED=… npx vitest run test/trials/fuzz` repeats a run. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

describe(`every answer conforms to the contract (seed ${SEED})`, async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  const subjects = [
    { where: 'in memory', runs: 2_000, subject: subjectInMemory() },
    { where: 'over a real store', runs: 300, subject: subjectOver(service) },
  ];

  for (const { where, runs, subject } of subjects) {
    const referee = new Referee(subject);
    for (const { name, share, property } of FUZZES) {
      const numRuns = Math.max(10, Math.round((runs * share) / 1000));
      test(`${name}, ${where}`, async () => {
        await fc.assert(property(subject.token, referee) as fc.IAsyncProperty<[unknown]>, {
          numRuns,
          seed: SEED,
        });
      });
    }
  }

  test('any int64 id and any Unicode text are stored unchanged', async () => {
    await fc.assert(roundTrip(service), { numRuns: 400, seed: SEED });
  });
});
