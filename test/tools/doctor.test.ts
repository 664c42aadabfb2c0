import { describe, expect, test, vi } from 'vitest';
import { findStage } from '../../infra/stages.ts';
import { judgeConcurrency } from '../../tools/doctor/account.ts';
import { subjectOf } from '../../tools/doctor/credentials.ts';
import { type Answer, type Answers, startAws } from '../support/aws-stand-in.ts';
import { withUsualLimits } from '../support/temporary-root.ts';
import { runTool } from './run-tool.ts';

const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);
/** The stage file may bind prod to an account and a Region, and set another throttle. */
const { account = '111122223333', region = 'eu-west-1', throttle } = findStage('prod');
const caller = `arn:aws:sts::${account}:assumed-role/Ops/ann`;
const topic = `arn:aws:sns:${region}:${account}:PlantStore-prod-AlarmTopic`;

const error = (code: string, message: string, status?: number): Answer => ({
  error: { code, message, status },
});
const stack = (StackStatus: string, ...outputs: string[]): Answer => ({
  is: {
    Stacks: [
      {
        StackName: 'PlantStore-prod',
        StackStatus,
        Outputs: outputs.map((OutputValue) => ({ OutputKey: 'AccessTokensTable', OutputValue })),
      },
    ],
  },
});
const tokens = (...list: [name: string, seconds: number][]): Answer => ({
  is: {
    Items: list.map(([name, seconds], n) => ({
      digest: { S: `${n}`.repeat(64) },
      name: { S: name },
      created: { N: '1' },
      expires: { N: String(now + seconds) },
    })),
  },
});
const subscription = (SubscriptionArn: string): Answer => ({
  is: { Subscriptions: [{ SubscriptionArn, Protocol: 'email', Endpoint: 'ops@example.com' }] },
});

/** An account in which stage prod has no problem. */
const HEALTHY: Answers = {
  GetCallerIdentity: {
    is: { Account: account, Arn: caller },
  },
  GetParameter: { is: { Parameter: { Name: '/cdk-bootstrap/hnb659fds/version', Value: '30' } } },
  DescribeStacks: stack('UPDATE_COMPLETE', 'Tokens'),
  ListStackResources: ({ NextToken }) =>
    NextToken === undefined
      ? {
          is: {
            NextToken: 'more',
            StackResourceSummaries: [
              {
                LogicalResourceId: 'FunctionRole1',
                ResourceType: 'AWS::IAM::Role',
                PhysicalResourceId: 'other',
              },
            ],
          },
        }
      : {
          is: {
            StackResourceSummaries: [
              {
                LogicalResourceId: 'ApiCloudWatchRole7',
                ResourceType: 'AWS::IAM::Role',
                PhysicalResourceId: 'logs',
              },
              { LogicalResourceId: 'AlarmTopic', ResourceType: 'AWS::SNS::Topic', PhysicalResourceId: topic },
            ],
          },
        },
  GetAccountSettings: {
    is: { AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 } },
  },
  GetAccount: { is: { cloudwatchRoleArn: `arn:aws:iam::${account}:role/logs` } },
  ListSubscriptionsByTopic: subscription(`${topic}:1`),
  Scan: tokens(['shop', -DAY], ['shop', 80 * DAY], ['ci', 20 * DAY]),
  DescribeAlarms: {
    is: {
      MetricAlarms: [
        { AlarmName: 'PlantStore-prod-Faults', StateValue: 'OK' },
        { AlarmName: 'PlantStore-prod-Throttled', StateValue: 'INSUFFICIENT_DATA' },
        // Of another stage, whose name begins with the same word.
        { AlarmName: 'PlantStore-prod-eu-Faults', StateValue: 'ALARM' },
      ],
    },
  },
  DetectStackDrift: { is: { StackDriftDetectionId: 'one' } },
  DescribeStackDriftDetectionStatus: {
    is: { StackDriftDetectionId: 'one', DetectionStatus: 'DETECTION_COMPLETE', StackDriftStatus: 'IN_SYNC' },
  },
  DescribeStackResourceDrifts: { is: { StackResourceDrifts: [] } },
};

const HEALTHY_LINES = [
  `ok         credentials    account ${account}, ${region}, ${caller}`,
  'ok         bootstrap      version 30; 8 is enough',
  'ok         stack          UPDATE_COMPLETE',
  `ok         concurrency    1000 executions allow 10000 requests a second; the stage's throttle is ${throttle.rate}`,
  `ok         gateway logs   API Gateway writes logs as arn:aws:iam::${account}:role/logs`,
  'ok         alarm e-mail   alarms notify ops@example.com',
  'ok         access tokens  each of 2 clients has one for at least 14 days',
  'ok         alarms         none of 2 is firing',
  'ok         drift          everything is as the template says',
];

/** Runs the doctor on the healthy account with some answers changed. */
async function examine(changed: Answers = {}, env: NodeJS.ProcessEnv = {}, stage = 'prod') {
  const aws = await startAws({ ...HEALTHY, ...changed });
  const { code, out, err } = await runTool('doctor', ['--stage', stage], { env: { ...aws.env, ...env } });
  aws.close();
  return { code, lines: out.trimEnd().split('\n'), err, calls: aws.calls };
}

describe('npm run doctor', () => {
  test('an account without a problem: a line for each question, exit code 0', async () => {
    const { calls, ...seen } = await examine();
    expect(seen).toEqual({ code: 0, lines: HEALTHY_LINES, err: '9 ok, 0 with a problem, 0 not asked.\n' });
    const asked = (operation: string) => calls.find((call) => call.operation === operation)?.input;
    expect(asked('GetParameter')).toEqual({ Name: '/cdk-bootstrap/hnb659fds/version' });
    expect(asked('DescribeStacks')).toMatchObject({ StackName: 'PlantStore-prod' });
    expect(asked('ListSubscriptionsByTopic')).toMatchObject({ TopicArn: topic });
    expect(asked('Scan')).toMatchObject({ TableName: 'Tokens', ConsistentRead: true });
    expect(asked('DescribeAlarms')).toEqual({ AlarmNamePrefix: 'PlantStore-prod-' });
    expect(asked('DescribeStackDriftDetectionStatus')).toMatchObject({ StackDriftDetectionId: 'one' });
    // It only reads: detecting drift changes nothing either.
    expect(
      calls.filter(({ operation }) => !/^(Get|List|Describe|Scan|DetectStackDrift)/.test(operation)),
    ).toEqual([]);
  });

  const one = 'aws cloudformation describe-stack-events --stack-name PlantStore-prod';
  test.each<[fault: string, changed: Answers, line: string]>([
    [
      'not bootstrapped',
      { GetParameter: error('ParameterNotFound', '') },
      `problem    bootstrap      this account and Region have not been bootstrapped  -> npx cdk bootstrap aws://${account}/${region}`,
    ],
    [
      'an old bootstrap',
      { GetParameter: { is: { Parameter: { Value: '7' } } } },
      `problem    bootstrap      version 7; the CDK needs 8 or newer  -> npx cdk bootstrap aws://${account}/${region}`,
    ],
    [
      'a deployment under way',
      { DescribeStacks: stack('UPDATE_IN_PROGRESS', 'Tokens') },
      'problem    stack          UPDATE_IN_PROGRESS: another deployment would be refused  -> wait until it has ended',
    ],
    [
      'a deployment that was undone',
      { DescribeStacks: stack('UPDATE_ROLLBACK_COMPLETE', 'Tokens') },
      `problem    stack          UPDATE_ROLLBACK_COMPLETE: the last deployment failed and was undone  -> read ${one}, then npx cdk deploy -c stage=prod`,
    ],
    [
      'a deployment that could not be undone',
      { DescribeStacks: stack('UPDATE_ROLLBACK_FAILED', 'Tokens') },
      `problem    stack          UPDATE_ROLLBACK_FAILED: no deployment is possible  -> read ${one}, then aws cloudformation continue-update-rollback --stack-name PlantStore-prod`,
    ],
    [
      'a first deployment that failed',
      { DescribeStacks: stack('ROLLBACK_COMPLETE', 'Tokens') },
      `problem    stack          ROLLBACK_COMPLETE: the stack cannot be used  -> read ${one}, delete the stack, then npx cdk deploy -c stage=prod`,
    ],
    [
      "a new account's quota",
      { GetAccountSettings: { is: { AccountLimit: { ConcurrentExecutions: 10 } } } },
      `problem    concurrency    10 executions allow 100 requests a second; the stage's throttle is ${throttle.rate}  -> aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000`,
    ],
    [
      'no role for the gateway’s logs',
      { GetAccount: { is: {} } },
      `problem    gateway logs   the account has no role for them, so there is no access log  -> aws apigateway update-account --patch-operations op=replace,path=/cloudwatchRoleArn,value=arn:aws:iam::${account}:role/logs`,
    ],
    [
      'an e-mail address that has not confirmed',
      { ListSubscriptionsByTopic: subscription('PendingConfirmation') },
      `problem    alarm e-mail   ops@example.com has not confirmed its subscription (PendingConfirmation)  -> open the link in the e-mail of SNS; for another e-mail: aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint ops@example.com`,
    ],
    [
      'nobody to notify',
      { ListSubscriptionsByTopic: { is: { Subscriptions: [] } } },
      'problem    alarm e-mail   alarms notify nobody  -> set alarmEmail of the stage in infra/stages.ts, and deploy',
    ],
    [
      'no access token',
      { Scan: tokens() },
      'problem    access tokens  there are none, so every request is refused  -> npm run token -- issue first --stage prod',
    ],
    [
      'tokens near their end',
      { Scan: tokens(['old', -DAY], ['shop', 3.5 * DAY], ['ci', 20 * DAY]) },
      'problem    access tokens  near their end: old (expired), shop (3 days left)  -> npm run token -- issue old --stage prod',
    ],
    [
      'an alarm',
      {
        DescribeAlarms: ({ NextToken }) => ({
          is: NextToken
            ? { MetricAlarms: [{ AlarmName: 'PlantStore-prod-TableErrors', StateValue: 'ALARM' }] }
            : {
                MetricAlarms: [{ AlarmName: 'PlantStore-prod-Faults', StateValue: 'OK' }],
                NextToken: 'more',
              },
        }),
      },
      'problem    alarms         firing: TableErrors  -> docs/runbook.md#tableerrors',
    ],
    [
      'no alarms',
      { DescribeAlarms: { is: { MetricAlarms: [] } } },
      'problem    alarms         there are none  -> npx cdk deploy -c stage=prod',
    ],
    [
      'resources changed by hand',
      {
        DescribeStackResourceDrifts: {
          is: {
            StackResourceDrifts: [
              {
                LogicalResourceId: 'Live',
                StackResourceDriftStatus: 'MODIFIED',
                PropertyDifferences: [{ PropertyPath: '/FunctionVersion', DifferenceType: 'NOT_EQUAL' }],
              },
              { LogicalResourceId: 'Faults', StackResourceDriftStatus: 'DELETED' },
            ],
          },
        },
      },
      'problem    drift          changed by hand: Live (/FunctionVersion), Faults (deleted)  -> docs/runbook.md#undo-a-change-by-hand',
    ],
  ])('%s: this line differs, and the exit code is 1', async (_, changed, line) => {
    const { code, lines, err } = await examine(changed);
    const question = /^(?:problem) +(.+?) {2,}/.exec(line)?.[1];
    expect(lines).toEqual(
      HEALTHY_LINES.map((each) => (each.slice(11).startsWith(`${question} `) ? line : each)),
    );
    expect({ code, err }).toEqual({ code: 1, err: '8 ok, 1 with a problem, 0 not asked.\n' });
  });

  const denied = (action: string) =>
    error('AccessDenied', `User: ann is not authorized to perform: ${action} on resource: *`, 403);
  const reason = (action: string) =>
    `AccessDenied: User: ann is not authorized to perform: ${action} on resource: *  -> get the permission ${action}`;

  test('a permission that is missing stops only its own question', async () => {
    const { code, lines, err } = await examine({
      GetParameter: denied('ssm:GetParameter'),
      ListSubscriptionsByTopic: denied('sns:ListSubscriptionsByTopic'),
      GetAccount: denied('apigateway:GET'),
      DescribeStackDriftDetectionStatus: denied('cloudformation:DescribeStackDriftDetectionStatus'),
      GetAccountSettings: error('TooManyRequestsException', 'Rate exceeded', 429),
      DescribeAlarms: error('ThrottlingException', 'Rate exceeded'),
      Scan: error('InternalServerError', 'Oops', 500),
    });
    expect({ code, lines, err }).toEqual({
      code: 0,
      lines: [
        HEALTHY_LINES[0],
        `not asked  bootstrap      ${reason('ssm:GetParameter')}`,
        HEALTHY_LINES[2],
        'not asked  concurrency    TooManyRequestsException: Rate exceeded  -> ask again',
        `not asked  gateway logs   ${reason('apigateway:GET')}`,
        `not asked  alarm e-mail   ${reason('sns:ListSubscriptionsByTopic')}`,
        'not asked  access tokens  InternalServerError: Oops',
        'not asked  alarms         ThrottlingException: Rate exceeded  -> ask again',
        `not asked  drift          ${reason('cloudformation:DescribeStackDriftDetectionStatus')}`,
      ],
      err: '2 ok, 0 with a problem, 7 not asked.\n',
    });
  });

  test('without permission to read the stack, the questions about the account are still asked', async () => {
    const { lines } = await examine({ DescribeStacks: denied('cloudformation:DescribeStacks') });
    const asked = lines
      .filter((line) => !line.startsWith('not asked'))
      .map((line) => line.slice(11, 24).trim());
    expect(asked).toEqual(['credentials', 'bootstrap', 'concurrency', 'gateway logs']);
    expect(lines.at(-1)).toBe(`not asked  drift          ${reason('cloudformation:DescribeStacks')}`);
  });

  test('before the first deployment, what the deployment creates is not a problem', async () => {
    const { code, lines } = await examine(
      {
        DescribeStacks: error('ValidationError', 'Stack with id PlantStore-dev does not exist'),
        GetAccountSettings: { is: { AccountLimit: { ConcurrentExecutions: 10 } } },
        GetAccount: { is: {} },
      },
      {},
      'dev',
    );
    expect(lines.slice(2)).toEqual([
      'ok         stack          PlantStore-dev is not deployed; npx cdk deploy -c stage=dev',
      "ok         concurrency    10 executions allow 100 requests a second; the stage's throttle is 20",
      'ok         gateway logs   the account has no role for them; the deployment makes one',
      'not asked  alarm e-mail   the stage is not deployed',
      'not asked  access tokens  the stage is not deployed',
      'not asked  alarms         the stage is not deployed',
      'not asked  drift          the stage is not deployed',
    ]);
    expect(code).toBe(0);
  });

  test('a throttled call is repeated, and a drift detection is waited for', async () => {
    let throttled = 0;
    let looks = 0;
    const { lines, calls } = await examine(
      {
        GetParameter: () =>
          throttled++ === 0
            ? { error: { code: 'ThrottlingException', message: 'Rate exceeded' } }
            : { is: { Parameter: { Value: '30' } } },
        DescribeStackDriftDetectionStatus: () => ({
          is: { DetectionStatus: looks++ < 2 ? 'DETECTION_IN_PROGRESS' : 'DETECTION_COMPLETE' },
        }),
      },
      { AWS_MAX_ATTEMPTS: '2', NODE_OPTIONS: withUsualLimits(process.env.NODE_OPTIONS) },
    );
    expect(lines).toEqual(HEALTHY_LINES);
    expect(calls.filter(({ operation }) => operation === 'GetParameter')).toHaveLength(2);
    expect(looks).toBe(3);
  });

  test('a detection that failed says nothing about drift', async () => {
    const { code, lines } = await examine({
      DescribeStackDriftDetectionStatus: {
        is: { DetectionStatus: 'DETECTION_FAILED', DetectionStatusReason: 'Failed to read Faults' },
      },
    });
    expect(lines.at(-1)).toBe('not asked  drift          DETECTION_FAILED: Failed to read Faults');
    expect(code).toBe(0);
  });

  test.each<[string, Answers, NodeJS.ProcessEnv, string]>([
    [
      'expired',
      {
        GetCallerIdentity: error(
          'ExpiredToken',
          'The security token included in the request is expired',
          403,
        ),
      },
      {},
      'ExpiredToken: The security token included in the request is expired',
    ],
    [
      'that are not there',
      {},
      { AWS_ACCESS_KEY_ID: undefined, AWS_EC2_METADATA_DISABLED: 'true' },
      'Could not load credentials from any providers',
    ],
  ])('credentials %s are the one problem', async (_, changed, env, message) => {
    const { code, lines, err } = await examine(changed, env);
    expect(lines[0]).toMatch(/^problem {4}credentials {4}/);
    expect(lines[0]).toContain(message);
    expect(lines.slice(1).map((line) => line.slice(0, 9))).toEqual(Array(8).fill('not asked'));
    expect({ code, err }).toEqual({ code: 1, err: '0 ok, 1 with a problem, 8 not asked.\n' });
  });

  test.each([
    [[], 2, 'Name the stage: --stage NAME.\n'],
    [
      ['--stage', 'prdo'],
      2,
      expect.stringMatching(/^Unknown stage "prdo"; choose one of: .*\bprod\b.*\.\n$/),
    ],
  ])('%j: one line', async (words, code, err) => {
    expect(await runTool('doctor', words)).toMatchObject({ code, out: '', err });
  });
});

test('a stage of another account is refused; one of another Region is examined there', async () => {
  const aws = await startAws(HEALTHY);
  for (const [name, value] of Object.entries(aws.env)) vi.stubEnv(name, value);
  const bound = { ...findStage('prod'), region: 'eu-central-1' };
  await expect(subjectOf({ ...bound, account: '444455556666' })).rejects.toThrow(
    `Stage prod belongs to account 444455556666, but the credentials are for account ${account}.`,
  );
  const subject = await subjectOf({ ...bound, account });
  expect(subject).toMatchObject({ region: 'eu-central-1', account });
  expect(await subject.stack).toMatchObject({ name: 'PlantStore-prod', status: 'UPDATE_COMPLETE' });
  expect(aws.calls.map(({ operation, region: asked }) => `${operation} ${asked}`)).toEqual([
    'GetCallerIdentity eu-central-1',
    'GetCallerIdentity eu-central-1',
    'DescribeStacks eu-central-1',
  ]);
  vi.stubEnv('AWS_REGION', undefined);
  await expect(subjectOf({ ...bound, region: undefined })).rejects.toThrow('Region is missing');
  vi.unstubAllEnvs();
  aws.close();
});

test.each([
  // A stage that reserves executions: Lambda keeps 100 for the others.
  [
    { reserved: 50, limit: 149, rate: 500 },
    'problem',
    /^a quota of 149 cannot reserve 50: 100 have to remain/,
  ],
  [{ reserved: 50, limit: 150, rate: 500 }, 'ok', /^50 executions allow 500 requests a second/],
  [{ reserved: 49, limit: 1000, rate: 500 }, 'problem', /^49 executions allow 490 requests a second/],
  [{ reserved: undefined, limit: 49, rate: 500 }, 'problem', /^49 executions allow 490 requests a second/],
] as const)('concurrency: %j is %s', ({ reserved, limit, rate }, verdict, says) => {
  const throttle = { rate, burst: 2 * rate };
  const stage = reserved === undefined ? { throttle } : { throttle, concurrency: reserved };
  expect(judgeConcurrency(stage, limit)).toMatchObject({ verdict, says: expect.stringMatching(says) });
});
