import { afterAll, describe } from 'vitest';
import { testContract } from '../../test/support/contract-tests.ts';
import { startTestService } from '../../test/support/test-service.ts';

// Only the sources have mutants; test/contract/function.test.ts also starts the bundle.
describe('the function conforms to the contract', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  await testContract(service, service.handler);
});
