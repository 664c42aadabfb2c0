import { expect, test } from 'vitest';
import type { Stage } from '../../infra/stage-settings.ts';
import { deployedStack } from '../../tools/deployed-stack.ts';
import { type Answers, error, withAws } from '../support/aws-stand-in.ts';

const STAGE: Stage = {
  name: 'production',
  region: 'eu-west-3',
  account: '111122223333',
  isProtected: true,
  throttle: { rate: 500, burst: 1_000 },
  logDays: 90,
  aboveNormal: { refusedTokens: 100, throttled: 50 },
};
const described = (account: string, StackStatus: string): Answers => {
  const StackId = `arn:aws:cloudformation:eu-west-3:${account}:stack/PlantStore-production/1`;
  const Outputs = [{ OutputKey: 'BaseUrl', OutputValue: 'https://plants' }];
  return {
    DescribeStacks: {
      is: { Stacks: [{ StackName: 'PlantStore-production', StackId, StackStatus, Outputs }] },
    },
    ListStackResources: { is: { StackResourceSummaries: [] } },
  };
};
const DEPLOYED = described('111122223333', 'CREATE_COMPLETE');

test('the stack of a stage is looked up in its own Region', async () => {
  await withAws(DEPLOYED, async (calls) => {
    const stack = await deployedStack(STAGE);
    expect(stack.output('BaseUrl')).toBe('https://plants');
    expect(() => stack.output('Other')).toThrow(
      'PlantStore-production has no output Other; deploy it again.',
    );
    await expect(stack.physicalId('AWS::SNS::Topic')).rejects.toThrow(
      'has no AWS::SNS::Topic; deploy it again.',
    );
    expect(calls.map(({ region }) => region)).toEqual(['eu-west-3', 'eu-west-3']);
  });
});

const absent = 'The stack PlantStore-production does not exist in this account and Region.';
const other =
  'Stage production belongs to account 111122223333, but the credentials are for account 999999999999.';
const missing = error('ValidationError', 'Stack with id PlantStore-production does not exist');
const denied = error('AccessDenied', 'User: ann is not authorized', 403);
test.each<[string, Answers]>([
  [other, described('999999999999', 'CREATE_COMPLETE')],
  [absent, { DescribeStacks: missing }],
  [absent, described('111122223333', 'REVIEW_IN_PROGRESS')],
  [
    'The stack PlantStore-production cannot be looked up: AccessDenied: User: ann is not authorized',
    { DescribeStacks: denied },
  ],
])('no stack: %s', async (message, answers) => {
  await expect(withAws(answers, () => deployedStack(STAGE))).rejects.toMatchObject({
    name: 'PlainError',
    message,
  });
});
