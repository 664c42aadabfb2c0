import { afterAll, describe } from 'vitest';
import { testContract } from '../support/contract-tests.ts';
import { startBundle } from '../support/function-under-test.ts';
import { startTestService } from '../support/test-service.ts';

// Not over the sources as well: `commands/verify/verify.test.ts` sends the cases to these over HTTP, and finds that all hold.
describe('the deployed bundle conforms to the contract', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  await testContract(service, (await startBundle(service.store.endpoint)).handler);
});
