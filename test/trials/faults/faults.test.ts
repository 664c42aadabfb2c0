import { afterAll, describe, test } from 'vitest';
import { startTestService } from '../../support/test-service.ts';
import { fault } from './faults.ts';
import { type Cell, nameOf, playCell, setStage } from './run-cell.ts';

/** One cell of each kind, and cells that failed in the past; `npm run test:faults` runs all of them. */
const SAMPLE: [fault: string, operation: Cell['operation'], attempts: Cell['attempts']][] = [
  ['refuse', 'GetItem', 'two attempts'],
  ['refuse', 'PutItem', 'all attempts'],
  ['hang on connect', 'PutItem', 'first attempt'],
  ['hang after the write', 'PutItem', 'all attempts'],
  ['hang before the write', 'GetItem', 'all attempts'],
  ['hang before the write', 'PutItem', 'first attempt'],
  ['a body that drips', 'GetItem', 'first attempt'],
  ['reset after the write', 'PutItem', 'first attempt'],
  ['close in the body', 'PutItem', 'two attempts'],
  ['truncated JSON', 'PutItem', 'all attempts'],
  ['500 after the write', 'PutItem', 'all attempts'],
  ['502 in HTML', 'GetItem', 'all attempts'],
  [
    'ThrottlingException of com.amazon.coral.availability with a hint to wait 30 s',
    'PutItem',
    'all attempts',
  ],
  ['AccessDeniedException', 'GetItem', 'first attempt'],
  ['ResourceNotFoundException', 'PutItem', 'all attempts'],
  ['JSON with status 200 that is not DynamoDB’s', 'GetItem', 'all attempts'],
  ['JSON with status 200 that is not DynamoDB’s', 'PutItem', 'all attempts'],
];

describe('with a fault of the store, the answer conforms to the contract', async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  for (const [name, operation, attempts] of SAMPLE) {
    const cell = { fault: fault(name), operation, attempts };
    test.concurrent(nameOf(cell), async () => void (await playCell(await setStage(service), cell)));
  }
});
