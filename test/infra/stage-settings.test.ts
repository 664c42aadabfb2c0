import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, test } from 'vitest';
import { checkStage } from '../../infra/check-stage.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { EVERYTHING, PLAIN, PRIVATE, PROTECTED, UNPROTECTED } from './synth.ts';

/** The lines with which a stage is refused. */
function refusals(change: object): string[] {
  try {
    checkStage({ ...UNPROTECTED, ...change } as Stage);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

const { domain, keyArn: KEY, pagerTopicArn: PAGER } = EVERYTHING;

describe('the settings of a stage', () => {
  test.each([UNPROTECTED, PROTECTED, EVERYTHING, PLAIN, PRIVATE])(
    '$name is accepted, and not changed',
    (stage) => {
      expect(checkStage(stage)).toEqual(stage);
    },
  );

  // What the type check accepts in infra/stages.ts, except for the first. settings-table.test.ts holds ranges of numbers.
  test.each<[object, string]>([
    [{ logdays: 7 }, 'Unrecognized key: "logdays".'],
    [{ alarmEmail: 'a@example.com,b@example.com' }, 'alarmEmail: Invalid email address.'],
    [
      { tableCeiling: { reads: 1, writes: 399 } },
      'tableCeiling.writes: Too small: one plant can need 400 units.',
    ],
    [{ pagerTopicArn: `${PAGER}.fifo` }, 'pagerTopicArn: Invalid ARN of a standard SNS topic.'],
    [
      { pagerTopicArn: PAGER, account: '999999999999' },
      'pagerTopicArn: It must belong to account 999999999999.',
    ],
    [{ isProtected: true, isTemplate: true }, 'isTemplate: A protected stage cannot be a template.'],
    [{ throttle: { rate: 20, burst: 19 } }, 'throttle.burst: Too small: less than the rate.'],
    [{ throttle: { rate: 1, burst: 1, brust: 2 } }, 'throttle: Unrecognized key: "brust".'],
    [{ concurrency: 0 }, 'concurrency: Too small: expected number to be >0.'],
    [{ account: '1111222233334' }, 'account: Invalid AWS account; it must have 12 digits.'],
    [{ region: 'Frankfurt' }, 'region: Invalid AWS Region.'],
    [{ domain: { ...domain, name: 'https://plants.example.com' } }, 'domain.name: Invalid hostname.'],
    [{ domain: { ...domain, certificateArn: 'arn:aws:acm' } }, 'domain.certificateArn: Invalid ARN'],
    [
      { domain: { ...domain, zone: { id: 'z', name: 'example.com' } } },
      'domain.zone.id: Invalid Route 53 zone id.',
    ],
    ...['ample.com', 'a.plants.example.com'].map((name): [object, string] => [
      { domain: { ...domain, zone: { id: 'Z1', name } } },
      `domain.name: It must be in the zone ${name}.`,
    ]),
    [{ keyArn: KEY }, 'keyArn: It needs the setting region.'],
    [{ keyArn: KEY.replace('key/', 'alias/'), region: 'eu-west-1' }, 'keyArn: Invalid ARN of a KMS key.'],
    [{ keyArn: KEY, region: 'us-east-1' }, 'keyArn: It must be in us-east-1.'],
    [{ vpcEndpoints: ['vpc-1'] }, 'vpcEndpoints.0: Invalid id of a VPC endpoint.'],
    [{ vpcEndpoints: [] }, 'vpcEndpoints: Too small'],
    [{ vpcEndpoints: ['vpce-1'], domain }, 'domain: A private API cannot have a Regional domain.'],
    [{ domain, region: 'us-east-1' }, 'domain.certificateArn: It must be in us-east-1.'],
    [{ allowedOrigins: ['*'], isProtected: true }, 'allowedOrigins: "*" must be a list of origins, because'],
    [
      { identityProvider: { issuer: 'http://login.example.com', audience: 'plants' } },
      'identityProvider.issuer: Invalid issuer; it must be an https address.',
    ],
    [
      { identityProvider: { issuer: 'https://login.example.com' } },
      'identityProvider.audience: Invalid input',
    ],
    [
      { identityProvider: { issuer: 'https://login.example.com', audience: ['a'], scope: 'a b' } },
      'identityProvider.scope: Invalid scope; it must be one.',
    ],
    [{ acceptedLosses: [''] }, 'acceptedLosses.0: Too small: expected string to have >=1 characters.'],
  ])('%j is refused in one line', (change, line) => {
    expect(refusals(change)).toEqual([expect.stringContaining(`Stage trial: ${line}`)]);
  });

  test.each(['us-gov-west-1', 'eusc-de-east-1', 'ap-southeast-7'])('the Region %s is accepted', (region) => {
    expect(refusals({ region })).toEqual([]);
  });

  test('each wrong setting gets its own line', () => {
    expect(refusals({ account: '1', concurrency: -1 })).toEqual([
      'Stage trial: account: Invalid AWS account; it must have 12 digits.',
      'Stage trial: concurrency: Too small: expected number to be >0.',
    ]);
  });

  test('logDays accepts the retentions that the CDK knows, except "never"', () => {
    const known = Object.values(RetentionDays).filter((days) => typeof days === 'number');
    const refused = (logDays: unknown) => refusals({ logDays }).length > 0;
    expect(known.filter(refused)).toEqual([9_999]);
  });
});

describe('the name of a stage', () => {
  test.each(['dev-anna-2', 'a'.repeat(21)])('%s is valid', (name) => {
    expect(refusals({ name })).toEqual([]);
  });

  test.each([
    '',
    'Dev',
    'dev_anna',
    'dev--anna',
    '2dev',
    'a'.repeat(22),
    'all',
    'pipeline',
    'plants',
    'review-dev',
  ])('%j is refused in one line', (name) => {
    expect(refusals({ name })).toEqual([
      expect.stringMatching(/^Stage ".*": a name has at most 21 lower-case/),
    ]);
  });
});
