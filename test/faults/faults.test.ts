import { afterAll, describe, test } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import { fault } from './faults.ts';
import { type Cell, nameOf, runCell } from './run-cell.ts';

const THROTTLING = 'ThrottlingException of com.amazon.coral.availability with a hint to wait 30 s';
const FOREIGN_JSON = 'JSON with status 200 that is not DynamoDB’s';

/** A sample, with cells that failed in the past; `npm run test:faults` runs all cells. */
const SAMPLE: [fault: string, operation: Cell['operation'], attempts: Cell['attempts']][] = [
  ['refuse', 'GetItem', 'two attempts'],
  ['hang on connect', 'PutItem', 'first attempt'],
  ['hang after the write', 'PutItem', 'all attempts'],
  ['reset after the write', 'PutItem', 'first attempt'],
  ['502 in HTML', 'GetItem', 'all attempts'],
  [THROTTLING, 'PutItem', 'all attempts'],
  ['AccessDeniedException', 'GetItem', 'first attempt'],
  [FOREIGN_JSON, 'GetItem', 'all attempts'],
  [FOREIGN_JSON, 'PutItem', 'all attempts'],
];

describe('with a fault of the store, the answer conforms to the contract', async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  for (const [name, operation, attempts] of SAMPLE) {
    const cell = { fault: fault(name), operation, attempts };
    test.concurrent(nameOf(cell), async () => void (await runCell(service, cell)));
  }
});
