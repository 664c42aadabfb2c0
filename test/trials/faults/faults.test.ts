import { afterAll, describe, test } from 'vitest';
import { startTestService } from '../../support/test-service.ts';
import { fault } from './faults.ts';
import { type Cell, expectedOf, playCell, setStage } from './run-cell.ts';

/** One cell of each kind, and cells that failed in the past; `npm run test:faults` runs all of them. */
const SAMPLE: Cell[] = [
  { fault: fault('refuse'), operation: 'GetItem', attempts: 'two attempts' },
  { fault: fault('refuse'), operation: 'PutItem', attempts: 'all attempts' },
  { fault: fault('hang on connect'), operation: 'PutItem', attempts: 'first attempt' },
  { fault: fault('hang after the write'), operation: 'PutItem', attempts: 'all attempts' },
  { fault: fault('hang before the write'), operation: 'GetItem', attempts: 'all attempts' },
  { fault: fault('hang before the write'), operation: 'PutItem', attempts: 'first attempt' },
  { fault: fault('a body that drips'), operation: 'GetItem', attempts: 'first attempt' },
  { fault: fault('reset after the write'), operation: 'PutItem', attempts: 'first attempt' },
  { fault: fault('close in the body'), operation: 'PutItem', attempts: 'two attempts' },
  { fault: fault('truncated JSON'), operation: 'PutItem', attempts: 'all attempts' },
  { fault: fault('500 after the write'), operation: 'PutItem', attempts: 'all attempts' },
  { fault: fault('502 in HTML'), operation: 'GetItem', attempts: 'all attempts' },
  {
    fault: fault('ThrottlingException of com.amazon.coral.availability with a hint to wait 30 s'),
    operation: 'PutItem',
    attempts: 'all attempts',
  },
  { fault: fault('AccessDeniedException'), operation: 'GetItem', attempts: 'first attempt' },
  { fault: fault('ResourceNotFoundException'), operation: 'PutItem', attempts: 'all attempts' },
  {
    fault: fault('JSON with status 200 that is not DynamoDB’s'),
    operation: 'GetItem',
    attempts: 'all attempts',
  },
  {
    fault: fault('JSON with status 200 that is not DynamoDB’s'),
    operation: 'PutItem',
    attempts: 'all attempts',
  },
];

describe('with a fault of the store, the answer conforms to the contract', async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  for (const cell of SAMPLE) {
    const call = cell.operation === 'GetItem' ? 'token look-up' : 'put';
    test.concurrent(`${cell.fault.name}, ${call}, ${cell.attempts}: ${expectedOf(cell)}`, async () => {
      await playCell(await setStage(service), cell);
    });
  }
});
