import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, test } from 'vitest';
import { checkStage, type Stage } from '../../infra/stage-settings.ts';
import { EVERYTHING, PROTECTED, UNPROTECTED } from './synth.ts';

/** The lines with which a stage is refused. */
function refusals(change: object): string[] {
  try {
    checkStage({ ...UNPROTECTED, ...change } as Stage);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

describe('the settings of a stage', () => {
  test.each([UNPROTECTED, PROTECTED, EVERYTHING])('$name is accepted, and not changed', (stage) => {
    expect(checkStage(stage)).toEqual(stage);
  });

  test.each<[object, string]>([
    [
      { alarmEmail: 'a@b' },
      'alarmEmail cannot be "a@b"; it must be one e-mail address, such as operators@example.com.',
    ],
    [
      { alarmEmail: 'a@example.com,b@example.com' },
      'alarmEmail cannot be "a@example.com,b@example.com"; it must be one e-mail address, such as operators@example.com.',
    ],
    [
      { tableCeiling: { reads: 100, writes: 399 } },
      'tableCeiling.writes cannot be 399; it must be a whole number of at least 400, because one plant can need as many.',
    ],
    [
      { tableCeiling: { reads: 0.5, writes: 400 } },
      'tableCeiling.reads cannot be 0.5; it must be a whole number of at least 1.',
    ],
    [
      { logDays: 8 },
      'logDays cannot be 8; it must be a retention of CloudWatch Logs, such as 7, 30, 90 or 365.',
    ],
    [
      { logDays: 9_999 },
      'logDays cannot be 9999; it must be a retention of CloudWatch Logs, such as 7, 30, 90 or 365.',
    ],
    [
      { logDays: undefined },
      'logDays is missing; it must be a retention of CloudWatch Logs, such as 7, 30, 90 or 365.',
    ],
    [{ logdays: 7 }, 'there is no setting logdays.'],
    [{ isProtected: 'no' }, 'isProtected cannot be "no"; it must be true or false.'],
    [
      { isProtected: true, isTemplate: true },
      'isTemplate cannot be true; it must be false, because the stage is protected.',
    ],
    [{ canaryMinutes: 5 }, 'canaryMinutes cannot be 5; it must be 10, 15 or 30.'],
    [{ throttle: undefined }, 'throttle is missing; it must be an object with rate, burst.'],
    [{ throttle: { rate: 20 } }, 'throttle.burst is missing; it must be a whole number of at least 1.'],
    [{ throttle: { rate: 20, burst: 19 } }, 'throttle.burst cannot be 19; it must be at least the rate.'],
    [{ throttle: { rate: 20, burst: 20, brust: 1 } }, 'there is no setting throttle.brust.'],
    [{ aboveNormal: 5 }, 'aboveNormal cannot be 5; it must be an object with refusedTokens, throttled.'],
    [{ concurrency: 0 }, 'concurrency cannot be 0; it must be a whole number of at least 1.'],
    [
      { firewall: { requests: 9 } },
      'firewall.requests cannot be 9; it must be a whole number from 10 to 2000000000.',
    ],
    [
      { account: 111122223333 },
      'account cannot be 111122223333; it must be the 12 digits of an AWS account, in quotes.',
    ],
    [
      { region: 'Frankfurt' },
      'region cannot be "Frankfurt"; it must be an AWS Region, such as eu-central-1.',
    ],
    [
      { domain: { ...EVERYTHING.domain, name: 'https://plants.example.com' } },
      'domain.name cannot be "https://plants.example.com"; it must be a host name, such as plants.example.com.',
    ],
    [
      { domain: { ...EVERYTHING.domain, certificateArn: 'arn:aws:acm' } },
      'domain.certificateArn cannot be "arn:aws:acm"; it must be the ARN of a certificate in AWS Certificate Manager.',
    ],
    [
      { allowedOrigins: ['https://app.example.com', 'http://app.example.com'] },
      'allowedOrigins.1 cannot be "http://app.example.com"; it must be an origin as browsers send it, such as ' +
        'https://app.example.com:8443: https (http only for localhost), a host in lower case, a port if it is not 443, ' +
        'no path and no slash at the end.',
    ],
    [
      { allowedOrigins: ['*'], isProtected: true },
      'allowedOrigins.0 cannot be "*"; it must be a list of origins, because the stage is protected.',
    ],
    [
      { allowedOrigins: [] },
      'allowedOrigins cannot be []; it must be a list with at least one origin, or absent.',
    ],
    [{ allowedOrigins: '*' }, 'allowedOrigins cannot be "*"; it must be a list of origins.'],
    [
      { borrowedTables: { plants: 'a b' } },
      'borrowedTables.plants cannot be "a b"; it must be the name of a table.',
    ],
  ])('%j is refused in one line', (change, line) => {
    expect(refusals(change)).toEqual([`Stage trial: ${line}`]);
  });

  test('each wrong setting has its line', () => {
    expect(refusals({ logDays: 8, concurrency: -1 })).toEqual([
      'Stage trial: concurrency cannot be -1; it must be a whole number of at least 1.',
      'Stage trial: logDays cannot be 8; it must be a retention of CloudWatch Logs, such as 7, 30, 90 or 365.',
    ]);
  });

  test('logDays are the retentions that the CDK knows, without "never"', () => {
    const known = Object.values(RetentionDays).filter((days) => typeof days === 'number' && days !== 9_999);
    expect(known.length).toBeGreaterThan(20);
    for (const logDays of known) expect(refusals({ logDays })).toEqual([]);
    const between = known.map((days) => Number(days) + 1).filter((days) => !known.includes(days));
    for (const logDays of between) expect(refusals({ logDays }), String(logDays)).toHaveLength(1);
  });
});

describe('the name of a stage', () => {
  test.each(['dev', 'dev-anna', 'dev-anna-2', 'a'.repeat(30)])('%s is valid', (name) => {
    expect(refusals({ name })).toEqual([]);
  });

  test.each(['', 'Dev', 'dev_anna', 'dev--anna', '-dev', 'dev-', '2dev', 'a'.repeat(31), 'all', 'pipeline'])(
    '%j is refused in one line',
    (name) => {
      expect(refusals({ name })).toEqual([
        expect.stringMatching(/^Stage ".*": a name has at most 30 lower-case/),
      ]);
    },
  );
});
