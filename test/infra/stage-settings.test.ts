import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, test } from 'vitest';
import { checkStage, type Stage } from '../../infra/stage-settings.ts';
import { EVERYTHING, PROTECTED, RESTORED, UNPROTECTED } from './synth.ts';

/** The lines with which a stage is refused. */
function refusals(change: object): string[] {
  try {
    checkStage({ ...UNPROTECTED, ...change } as Stage);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

const { domain, pagerTopicArn: PAGER } = EVERYTHING;
const ONE_NAME = 'Each table must have a name of its own, also the previous ones.';

describe('the settings of a stage', () => {
  test.each([UNPROTECTED, PROTECTED, EVERYTHING, RESTORED])('$name is accepted, and not changed', (stage) => {
    expect(checkStage(stage)).toEqual(stage);
  });

  test.each<[object, string]>([
    [{ alarmEmail: 'a@b' }, 'alarmEmail: Invalid email address.'],
    [{ alarmEmail: 'a@example.com,b@example.com' }, 'alarmEmail: Invalid email address.'],
    [
      { tableCeiling: { reads: 1, writes: 399 } },
      'tableCeiling.writes: Too small: one plant can need 400 units.',
    ],
    [{ expectsPlants: 30 }, 'expectsPlants: Invalid input: expected object'],
    [{ expectsPlants: { minutes: 9 } }, 'expectsPlants.minutes: Too small: expected number to be >=10.'],
    [{ expectsPlants: { minutes: 10.5 } }, 'expectsPlants.minutes: Invalid input: expected int'],
    [{ expectsPlants: { minutes: 1_441 } }, 'expectsPlants.minutes: Too big: expected number to be <=1440.'],
    [{ expectsPlants: { hours: 2, minutes: 20 } }, 'expectsPlants: Unrecognized key: "hours".'],
    ...['Pager', 'arn:aws:sns:eu-west-1:1111:Pager', `${PAGER}.fifo`, PAGER.replace('sns', 'sqs')].map(
      (pagerTopicArn): [object, string] => [
        { pagerTopicArn },
        'pagerTopicArn: Invalid ARN of a standard SNS topic.',
      ],
    ),
    [{ pagerTopicArn: PAGER, region: 'us-east-1' }, 'pagerTopicArn: The topic must be in us-east-1.'],
    [
      { pagerTopicArn: PAGER, account: '999999999999' },
      'pagerTopicArn: The topic must belong to account 999999999999.',
    ],
    [{ tableCeiling: { reads: 0.5, writes: 400 } }, 'tableCeiling.reads: Invalid input: expected int'],
    [{ logDays: 8 }, 'logDays: Invalid option: expected one of 1|3|5|7|'],
    [{ logDays: 9_999 }, 'logDays: Invalid option: expected one of 1|3|5|7|'],
    [{ logDays: undefined }, 'logDays: Invalid option: expected one of 1|3|5|7|'],
    [{ logdays: 7 }, 'Unrecognized key: "logdays".'],
    [{ isProtected: 'no' }, 'isProtected: Invalid input: expected boolean'],
    [{ isProtected: true, isTemplate: true }, 'isTemplate: A protected stage cannot be a template.'],
    [{ canaryMinutes: 5 }, 'canaryMinutes: Invalid option: expected one of 10|15|30.'],
    [{ throttle: undefined }, 'throttle: Invalid input: expected object'],
    [{ throttle: { rate: 20 } }, 'throttle.burst: Invalid input: expected number'],
    [{ throttle: { rate: 20, burst: 19 } }, 'throttle.burst: Too small: less than the rate.'],
    [{ throttle: { rate: 20, burst: 20, brust: 1 } }, 'throttle: Unrecognized key: "brust".'],
    [{ aboveNormal: 5 }, 'aboveNormal: Invalid input: expected object'],
    [{ startScript: 'off' }, 'startScript: Invalid input: expected boolean'],
    [{ concurrency: 0 }, 'concurrency: Too small: expected number to be >0.'],
    [{ firewall: { requests: 9 } }, 'firewall.requests: Too small: expected number to be >=10.'],
    [{ account: 111122223333 }, 'account: Invalid input: expected string'],
    [{ account: '1111' }, 'account: Invalid AWS account; it must have 12 digits.'],
    [{ region: 'Frankfurt' }, 'region: Invalid AWS Region.'],
    [{ domain: { ...domain, name: 'https://plants.example.com' } }, 'domain.name: Invalid hostname.'],
    [{ domain: { ...domain, certificateArn: 'arn:aws:acm' } }, 'domain.certificateArn: Invalid ARN'],
    [{ domain: { ...domain, zone: { id: 'z', name: '' } } }, 'domain.zone.id: Invalid Route 53 zone id.'],
    [
      { allowedOrigins: ['http://a.example'] },
      'allowedOrigins: "http://a.example" must be an origin as browsers',
    ],
    [{ allowedOrigins: ['*'], isProtected: true }, 'allowedOrigins: "*" must be a list of origins, because'],
    [{ allowedOrigins: [] }, 'allowedOrigins: [] must be a list with at least one origin, or absent.'],
    [{ allowedOrigins: '*' }, 'allowedOrigins: Invalid input: expected array'],
    [{ acceptedLosses: 'all' }, 'acceptedLosses: Invalid input: expected array'],
    [{ acceptedLosses: [''] }, 'acceptedLosses.0: Too small: expected string to have >=1 characters.'],
    [
      { borrowedTables: { plants: { use: 'a b', previous: 'P-1' } } },
      'borrowedTables.plants.use: Invalid table name.',
    ],
    [
      { borrowedTables: { plants: { use: 'P-2' } } },
      'borrowedTables.plants.previous: Invalid input: expected string',
    ],
    [{ borrowedTables: { plants: 'P-2' } }, 'borrowedTables.plants: Invalid input: expected object'],
    [{ borrowedTables: { plants: { use: 'P-1', previous: 'P-1' } } }, `borrowedTables: ${ONE_NAME}`],
    ...(['use', 'previous'] as const).flatMap((a) =>
      (['use', 'previous'] as const).map((b): [object, string] => {
        const [plants, accessTokens] = [
          { use: 'P-2', previous: 'P-1', [a]: 'Same' },
          { use: 'T-2', previous: 'T-1', [b]: 'Same' },
        ];
        return [{ borrowedTables: { plants, accessTokens } }, `borrowedTables: ${ONE_NAME}`];
      }),
    ),
  ])('%j is refused in one line', (change, line) => {
    expect(refusals(change)).toEqual([expect.stringContaining(`Stage trial: ${line}`)]);
  });

  test.each([10, 90, 1_440])('a silence of %s minutes is accepted', (minutes) => {
    expect(refusals({ expectsPlants: { minutes } })).toEqual([]);
  });

  test('each wrong setting gets its own line', () => {
    expect(refusals({ account: '1', concurrency: -1 })).toEqual([
      'Stage trial: account: Invalid AWS account; it must have 12 digits.',
      'Stage trial: concurrency: Too small: expected number to be >0.',
    ]);
  });

  test('logDays accepts the retentions that the CDK knows, except "never"', () => {
    const known = Object.values(RetentionDays).filter((days) => typeof days === 'number' && days !== 9_999);
    const refused = (logDays: unknown) => refusals({ logDays }).length > 0;
    expect(known.length).toBeGreaterThan(20);
    expect(known.filter(refused)).toEqual([]);
    const between = known.map((days) => Number(days) + 1).filter((days) => !known.includes(days));
    expect(between.filter(refused)).toEqual(between);
  });
});

describe('the name of a stage', () => {
  test.each(['dev', 'dev-anna', 'dev-anna-2', 'a'.repeat(21)])('%s is valid', (name) => {
    expect(refusals({ name })).toEqual([]);
  });

  test.each([
    '',
    'Dev',
    'dev_anna',
    'dev--anna',
    '-dev',
    'dev-',
    '2dev',
    'a'.repeat(22),
    'all',
    'pipeline',
    'review-dev',
  ])('%j is refused in one line', (name) => {
    expect(refusals({ name })).toEqual([
      expect.stringMatching(/^Stage ".*": a name has at most 21 lower-case/),
    ]);
  });
});
