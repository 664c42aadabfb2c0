import { expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { noStack, ok, PROD, type Responses, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { deployedStack } from './deployed-stack.ts';

const STAGE = { ...PROD, region: 'eu-west-3', account: '111122223333' };
const ListStackResources = ok({ StackResourceSummaries: [] });

test('the stack of a stage is looked up in its own Region', async () => {
  await withAws(
    { ...stack('CREATE_COMPLETE', { BaseUrl: 'https://plants' }, '111122223333'), ListStackResources },
    async (calls) => {
      const stack = await deployedStack(STAGE);
      expect(stack.output('BaseUrl')).toBe('https://plants');
      expect(() => stack.output('Other')).toThrow('PlantStore-prod has no output Other; deploy it again.');
      await expect(stack.physicalId('AWS::SNS::Topic')).rejects.toThrow(
        'has no AWS::SNS::Topic; deploy it again.',
      );
      expect(calls.map(({ region }) => region)).toEqual(['eu-west-3', 'eu-west-3']);
    },
  );
});

const absent = 'The stack PlantStore-prod does not exist in this account and Region.';
const elsewhere =
  'Stage prod belongs to account 111122223333, but the credentials are for account 999999999999.';
const callerOf = (Account: string) => ({ GetCallerIdentity: ok({ Account }) });
test.each<[string, Responses]>([
  [absent, { DescribeStacks: noStack(), ...callerOf('111122223333') }],
  // Only a change set was created for it.
  [absent, { ...stack('REVIEW_IN_PROGRESS'), ...callerOf('111122223333') }],
  [elsewhere, stack('CREATE_COMPLETE', {}, '999999999999')],
  // Another account has no such stack, which would look like a stage that is not deployed.
  [elsewhere, { DescribeStacks: noStack(), ...callerOf('999999999999') }],
])('a stack that cannot be used is reported: %s', async (message, responses) => {
  await expect(withAws(responses, () => deployedStack(STAGE))).rejects.toThrow(new PlainError(message));
});
