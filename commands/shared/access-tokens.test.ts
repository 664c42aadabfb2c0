import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../test/support/test-service.ts';

const service = await startTestService();
afterAll(() => service.close());

test('a name may have two valid tokens, for a rotation; a third is refused until one is revoked', async () => {
  const { admin } = service;
  const { issued } = await admin.issue('ci');
  await admin.issue('ci');
  await expect(admin.issue('ci')).rejects.toThrow(
    /^ci already has 2 valid tokens \([0-9a-f]{8} and [0-9a-f]{8}\); /,
  );
  await admin.revoke(issued);
  await admin.issue('ci');
});
