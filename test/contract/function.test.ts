import { afterAll, describe } from 'vitest';
import { testContract } from '../support/contract-tests.ts';
import { type FunctionUnderTest, startBundle } from '../support/function-under-test.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const STARTS: [string, (service: TestService) => FunctionUnderTest][] = [
  ['the function', (service) => service],
  ['the deployed bundle', ({ store }) => startBundle(store.endpoint)],
];

describe.each(STARTS)('%s conforms to the contract', async (_, start) => {
  const service = await startTestService();
  afterAll(() => service.close());
  await testContract(service, start(service).handler);
});
