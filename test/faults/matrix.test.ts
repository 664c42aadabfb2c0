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
  afterAll(() => service.close());
  for (const cell of CELLS) test.concurrent(nameOf(cell), () => runCell(service, cell));
});
