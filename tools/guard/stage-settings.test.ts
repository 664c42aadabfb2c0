import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import type { Stage, StageSettings } from '../../infra/stage-settings.ts';
import { copyOf, EVERYTHING, type Json, PROTECTED, synth, UNPROTECTED } from '../../test/infra/synth.ts';
import { findLosses } from './losses.ts';

/** The losses of a change that cannot pass; otherwise it passes. */
interface Losses {
  readonly there?: readonly unknown[];
  readonly back?: readonly unknown[];
}
type Row = readonly [stage: Stage, was: Partial<Stage>, is: Partial<Stage>, losses?: Losses];

const { domain } = EVERYTHING;
const BORROWED = { use: 'A-1', previous: 'B-2' };
const TABLES = ['Plants', 'AccessTokens'];
const LOGS = ['FunctionLogs', 'AccessLogs'];
const VERSION = expect.stringMatching(/^FunctionCurrentVersion\w+$/);
const GROUP = 'Deployment';
const DOMAIN = 'ApiDomain';
const MAPPING = expect.stringMatching(/^ApiDomainMap/);
const RECORD = 'DomainRecord';
const FIREWALL = ['Firewall', 'FirewallAssociation'];
const UNKNOWN_TOKENS = 'UnknownTokens';
const PAGED = ['Faults', UNKNOWN_TOKENS, 'NotCompleted', 'GatewayErrors', 'FunctionErrors'];
const SILENCE = 'Silence';
const EMAIL = 'AlarmTopicaexamplecom';
const OPERATORS = 'AlarmTopicoperatorsexamplecom';
/** What has the name of a table in its own properties: the role's policy, the function, and two alarms. */
const POLICY = 'FunctionRoleDefaultPolicy';
const USERS = ['Function', 'TableThrottles', 'TableErrors'];
/** What has the Region or the account in an ARN: the access log, the permissions of the gateway, and the methods. */
const ARNS = expect.arrayContaining([expect.stringMatching(/^ApiDeploymentStage/)]);

/** Two values of each setting, which is changed from one to the other and back. */
const SETTINGS: Readonly<Record<keyof StageSettings, readonly Row[]>> = {
  // Unbound, the stack may be anywhere.
  account: [[PROTECTED, {}, { account: '111122223333' }, { back: ARNS }]],
  region: [
    [PROTECTED, {}, { region: 'eu-west-1' }, { back: ARNS }],
    [PROTECTED, {}, { region: 'eu-west-1', account: '111122223333' }, { back: ARNS }],
    [PROTECTED, {}, { region: 'us-gov-west-1', account: '111122223333' }, { back: ARNS }],
    // Another Region has another stack.
    [PROTECTED, { region: 'eu-west-1' }, { region: 'eu-west-3' }, { there: ARNS, back: ARNS }],
  ],
  isTemplate: [[UNPROTECTED, {}, { isTemplate: true }]],
  // Tables, logs and versions are then deleted with the stack, and an alarm at once.
  isProtected: [
    [
      PROTECTED,
      {},
      { isProtected: false },
      { there: [...TABLES, LOGS[0], VERSION, LOGS[1], UNKNOWN_TOKENS] },
    ],
  ],
  canaryMinutes: [
    [PROTECTED, {}, { canaryMinutes: 30 }],
    [PROTECTED, {}, { canaryMinutes: undefined }, { there: [GROUP] }],
  ],
  throttle: [[PROTECTED, {}, { throttle: { rate: 1_000, burst: 2_000 } }]],
  tableCeiling: [
    [PROTECTED, {}, { tableCeiling: { reads: 100, writes: 400 } }, { back: TABLES }],
    [UNPROTECTED, {}, { tableCeiling: { reads: 50, writes: 400 } }],
  ],
  concurrency: [[PROTECTED, {}, { concurrency: 40 }]],
  startScript: [[PROTECTED, {}, { startScript: false }]],
  // Entries over 30 days are then deleted.
  logDays: [[PROTECTED, {}, { logDays: 30 }, { there: LOGS }]],
  aboveNormal: [[PROTECTED, {}, { aboveNormal: { refusedTokens: 10, throttled: 5 } }]],
  alarmEmail: [
    [PROTECTED, {}, { alarmEmail: 'a@example.com' }, { there: [EMAIL], back: [EMAIL] }],
    // Until somebody confirms the other address, alarms notify nobody.
    [
      EVERYTHING,
      {},
      { alarmEmail: 'a@example.com' },
      { there: [OPERATORS, EMAIL], back: [EMAIL, OPERATORS] },
    ],
  ],
  pagerTopicArn: [
    [PROTECTED, {}, { pagerTopicArn: 'arn:aws:sns:eu-west-1:111122223333:Pager' }, { back: PAGED }],
    [
      EVERYTHING,
      {},
      { pagerTopicArn: 'arn:aws:sns:eu-west-1:111122223333:Other' },
      { there: [...PAGED, SILENCE], back: [...PAGED, SILENCE] },
    ],
  ],
  expectsPlants: [
    [PROTECTED, {}, { expectsPlants: { minutes: 30 } }, { back: [SILENCE] }],
    [EVERYTHING, {}, { expectsPlants: { minutes: 30 } }],
  ],
  domain: [
    // Clients use the name.
    [
      EVERYTHING,
      {},
      { domain: undefined },
      { there: [DOMAIN, MAPPING, RECORD], back: [DOMAIN, MAPPING, RECORD] },
    ],
    [EVERYTHING, {}, { domain: { ...domain, zone: undefined } }, { there: [RECORD], back: [RECORD] }],
    [
      EVERYTHING,
      {},
      { domain: { ...domain, name: 'herbs.example.com' } },
      { there: [DOMAIN, RECORD], back: [DOMAIN, RECORD] },
    ],
    [
      EVERYTHING,
      {},
      { domain: { ...domain, zone: { id: 'Z9', name: 'example.com' } } },
      { there: [RECORD], back: [RECORD] },
    ],
    [
      EVERYTHING,
      {},
      { domain: { ...domain, certificateArn: domain.certificateArn.replace('8888', '9999') } },
    ],
  ],
  firewall: [
    [PROTECTED, {}, { firewall: { requests: 500 } }, { there: FIREWALL, back: FIREWALL }],
    [EVERYTHING, {}, { firewall: { requests: 2_000 } }],
  ],
  allowedOrigins: [
    [PROTECTED, {}, { allowedOrigins: ['https://app.example.com'] }],
    [EVERYTHING, {}, { allowedOrigins: ['https://app.example.org'] }],
  ],
  acceptedLosses: [[PROTECTED, {}, { acceptedLosses: ['The topic Topic would be removed.'] }]],
  borrowedTables: [
    // The stack no longer contains its own table, or would get an empty one.
    [
      PROTECTED,
      {},
      { borrowedTables: { plants: BORROWED } },
      { there: ['Plants', POLICY, ...USERS], back: [POLICY, ...USERS, 'Plants'] },
    ],
    [
      PROTECTED,
      {},
      { borrowedTables: { accessTokens: BORROWED } },
      { there: ['AccessTokens', POLICY, ...USERS], back: [POLICY, ...USERS, 'AccessTokens'] },
    ],
    // Neither belongs to the stack.
    [
      PROTECTED,
      { borrowedTables: { plants: BORROWED } },
      { borrowedTables: { plants: { use: BORROWED.previous, previous: BORROWED.use } } },
      { there: USERS, back: USERS },
    ],
  ],
};

const rows = Object.entries(SETTINGS).flatMap(([setting, all]) => all.map((row) => ({ setting, row })));

test.each(rows)('$setting alone is changed and changed back', ({ setting, row }) => {
  const [stage, was, is, { there = [], back = [] } = {}] = row;
  const before: Stage = Object.keys(was).length > 0 ? { ...stage, ...was } : stage;
  const after: Stage = { ...stage, ...is };
  const [one, two] = [copyOf(before).template, synth(after).template] as Json[];
  const ids = (was: Json, is: Json, place: Stage) => findLosses(was, is, place).map(({ id }) => id);
  // Only `-c stage` and the guard use these settings.
  expect(isDeepStrictEqual(one, two)).toBe(['isTemplate', 'acceptedLosses'].includes(setting));
  expect(ids(one, two, after)).toEqual(there);
  expect(ids(two, one, before)).toEqual(back);
});

describe('procedures of the runbook', () => {
  const runbook = readFileSync(new URL('../../docs/recover.md', import.meta.url), 'utf8');
  // The shell variable TABLE has the table's id.
  const [borrowing = '', importing = ''] = [...runbook.matchAll(/--allow (\$TABLE,\S+|Function\S+)$/gm)].map(
    ([, ids = '']) => ids.replace('$TABLE', 'Plants'),
  );
  const own = copyOf(PROTECTED).template as Json;
  const borrowed = copyOf({ ...PROTECTED, borrowedTables: { plants: BORROWED } }).template as Json;
  const { Plants } = own.Resources;
  const imported = { ...borrowed, Resources: { Plants, ...borrowed.Resources } };
  const ids = (was: Json, is: Json) => findLosses(was, is).map(({ id }) => id);

  test('"Deploy a fix while an alarm fires": the guard lists a canary that is off, not one that is on again', () => {
    const { template: off } = synth(PROTECTED, undefined, { usesCodeDeploy: false });
    expect(findLosses(own, off).map(({ line }) => line)).toEqual([
      expect.stringMatching(/^Live \(AWS::Lambda::Alias\): UpdatePolicy changes from \{.+\} to nothing\.$/),
    ]);
    expect(findLosses(off, own)).toEqual([]);
  });

  test('"Restore to a point in time" accepts what the guard lists, before the deployment and after the import', () => {
    expect(ids(own, borrowed)).toEqual(borrowing.split(','));
    expect(ids(imported, own)).toEqual(importing.split(','));
  });

  test('the table is not created empty where its import was forgotten', () => {
    expect(ids(borrowed, own)).toContain('Plants');
  });

  test('the canary of the first deployment, with more memory, loses nothing', () => {
    const { template } = synth(PROTECTED, ({ node }) => {
      (node.findChild('Function').node.defaultChild as CfnFunction).memorySize = 1_088;
    });
    expect(Object.keys(template.Resources)).not.toEqual(Object.keys(own.Resources));
    expect(ids(own, template)).toEqual([]);
  });
});
