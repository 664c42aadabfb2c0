import { afterAll, describe, test } from 'vitest';
import { someOf } from '../support/exhaustive.ts';
import { startTestService } from '../support/test-service.ts';
import { FAULTS } from './faults.ts';
import { ATTEMPTS, type Cell, nameOf, runCell } from './run-cell.ts';

/** A fault has six cells one after the other, so a fifth has each fault, in different calls and attempts. */
const CELLS = someOf(
  FAULTS.flatMap((fault) =>
    (['GetItem', 'PutItem'] as const).flatMap((operation) =>
      (Object.keys(ATTEMPTS) as Cell['attempts'][]).map((attempts): Cell => ({ fault, operation, attempts })),
    ),
  ),
  'faults of the store',
);

describe('with every fault of the store, the response conforms to the contract', async () => {
  const service = await startTestService();
  const times: { name: string; ms: number }[] = [];
  afterAll(async () => {
    await service.close();
    const slowest = times.sort((a, b) => b.ms - a.ms)[0];
    console.info(
      `${times.length} of ${CELLS.length} cells conform to the contract; the slowest took ${Math.round(slowest?.ms ?? 0)} ms (${slowest?.name}).`,
    );
  });

  for (const cell of CELLS) {
    const name = nameOf(cell);
    test.concurrent(name, async () => void times.push({ name, ms: await runCell(service, cell) }));
  }
});
