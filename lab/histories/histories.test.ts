import { describe, expect, test } from 'vitest';
import { runsOf, someOf } from '../../test/support/exhaustive.ts';
import { findFailure } from './run-history.ts';
import { loadSubject } from './subject.ts';
import { VARIANTS } from './variants.ts';

/** `SEED=… npx vitest run lab/histories` repeats a run. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

const runs = runsOf(1_000, 'random histories');

test(`the model allows each of ${runs} random histories (seed ${seed})`, async () => {
  const failure = await findFailure(await loadSubject(), { runs, seed });
  expect(failure?.story).toBeUndefined();
});

// Always the same histories: with others, a rare fault could by chance take more than 1,000.
describe('a broken service is found within 1,000 histories', () => {
  test.each(someOf(VARIANTS, 'broken services in random histories'))('$name', async (variant) => {
    const failure = await findFailure(await loadSubject(variant), { runs: 1_000, seed: 1, shrinks: false });
    expect(failure?.story).toMatch(/^Wrong: /);
    console.info(`${variant.name}: found in history ${failure?.runs}`);
  });
});

test('a failure’s line repeats its history', async () => {
  const subject = await loadSubject(VARIANTS[0]);
  const failure = await findFailure(subject, { runs: 1_000, seed });
  const [, path] = /--path (\S+)$/.exec(failure?.story ?? '') ?? [];
  const again = await findFailure(subject, { runs: 1_000, seed, path, shrinks: false });
  expect(again).toEqual({ ...failure, runs: 1 });
});
