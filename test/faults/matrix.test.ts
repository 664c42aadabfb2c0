import { afterAll, describe, test } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import { FAULTS } from './faults.ts';
import { ATTEMPTS, type Cell, nameOf, runCell } from './run-cell.ts';

const CELLS: Cell[] = FAULTS.flatMap((fault) =>
  (['GetItem', 'PutItem'] as const).flatMap((operation) =>
    (Object.keys(ATTEMPTS) as Cell['attempts'][]).map((attempts) => ({ fault, operation, attempts })),
  ),
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
