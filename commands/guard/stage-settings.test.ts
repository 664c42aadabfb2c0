import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { expect, test } from 'vitest';
import type { Stage, StageSettings } from '../../infra/stage-settings.ts';
import { copyOf, EVERYTHING, type Json, PROTECTED, synth, UNPROTECTED } from '../../test/infra/synth.ts';
import { findLosses } from './losses.ts';

/** A stage, what is changed, and the losses of the change and of changing it back. */
type Row = readonly [stage: Stage, is: Partial<Stage>, there?: readonly string[], back?: readonly string[]];

const { domain } = EVERYTHING;
const TABLES = ['Plants', 'AccessTokens'];
const LOGS = ['FunctionLogs', 'AccessLogs'];
const GATEWAY_ROLE = ['ApiAccount', 'ApiCloudWatchRole'];
const KEYED = [...TABLES, ...LOGS, 'AlarmTopic', 'FunctionRoleDefaultPolicy'];
const VERSION = 'FunctionCurrentVersion';
const RECORD = ['DomainRecord'];
const NAME = ['ApiDomain', ...RECORD, 'BaseUrl'];
const FIREWALL = ['Firewall', 'FirewallAssociation'];
const PAGED = ['Faults', 'UnknownTokens', 'NotCompleted', 'GatewayErrors', 'FunctionErrors'];
const SILENCE = 'Silence';
const NORMAL = ['Throttled', 'RefusedTokens', 'TableThrottles'];
const EMAIL = 'AlarmTopicaexamplecom';
const OPERATORS = 'AlarmTopicoperatorsexamplecom';
const pager = (name: string) => ({ pagerTopicArn: `arn:aws:sns:eu-west-1:111122223333:${name}` });

/** Two values of each setting, which is changed from one to the other and back. */
const SETTINGS: Readonly<Record<Exclude<keyof StageSettings, 'account' | 'region'>, readonly Row[]>> = {
  isTemplate: [[PROTECTED, { isTemplate: true }]],
  // Tables, logs and versions are then deleted with the stack, and an alarm at once.
  isProtected: [[UNPROTECTED, { isProtected: true }, [], [...TABLES, ...LOGS, VERSION, 'UnknownTokens']]],
  canaryMinutes: [
    [PROTECTED, { canaryMinutes: 30 }],
    [PROTECTED, { canaryMinutes: undefined }, ['Deployment']],
  ],
  throttle: [[PROTECTED, { throttle: { rate: 1_000, burst: 2_000 } }]],
  tableCeiling: [
    [PROTECTED, { tableCeiling: { reads: 100, writes: 400 } }, [], TABLES],
    [PROTECTED, { tableCeiling: { reads: 1, writes: 400 } }, TABLES, TABLES],
    [UNPROTECTED, { tableCeiling: { reads: 50, writes: 400 } }],
  ],
  concurrency: [
    [PROTECTED, { concurrency: 40 }],
    [PROTECTED, { concurrency: 1 }, ['Function']],
  ],
  startScript: [[PROTECTED, { startScript: false }]],
  // Entries over 30 days are then deleted.
  logDays: [[PROTECTED, { logDays: 30 }, LOGS]],
  aboveNormal: [[PROTECTED, { aboveNormal: { refusedTokens: 10, throttled: 5 } }, NORMAL, NORMAL]],
  alarmEmail: [
    [PROTECTED, { alarmEmail: 'a@example.com' }, [EMAIL], [EMAIL]],
    // Until somebody confirms the other address, alarms notify nobody.
    [EVERYTHING, { alarmEmail: 'a@example.com' }, [OPERATORS, EMAIL], [EMAIL, OPERATORS]],
  ],
  // Role and setting stay behind.
  hasGatewayRole: [[PROTECTED, { hasGatewayRole: true }, GATEWAY_ROLE, GATEWAY_ROLE]],
  // Who may use the key may read the data.
  keyArn: [[{ ...EVERYTHING, name: 'keyed' }, { keyArn: undefined }, KEYED, KEYED]],
  pagerTopicArn: [
    [EVERYTHING, pager('Other'), [...PAGED, SILENCE], [...PAGED, SILENCE]],
    [PROTECTED, pager('Pager'), PAGED, PAGED],
  ],
  expectsPlants: [
    [PROTECTED, { expectsPlants: { minutes: 30 } }, [], [SILENCE]],
    [EVERYTHING, { expectsPlants: { minutes: 30 } }, [SILENCE], [SILENCE]],
  ],
  domain: [
    // Clients use the name.
    [EVERYTHING, { domain: undefined }, ['ApiDomainMap', ...NAME], ['ApiDomainMap', ...NAME]],
    [EVERYTHING, { domain: { ...domain, zone: undefined } }, RECORD, RECORD],
    [EVERYTHING, { domain: { ...domain, name: 'herbs.example.com' } }, NAME, NAME],
    [EVERYTHING, { domain: { ...domain, zone: { id: 'Z9', name: 'example.com' } } }, RECORD, RECORD],
    [EVERYTHING, { domain: { ...domain, certificateArn: domain.certificateArn.replace('8888', '9999') } }],
  ],
  firewall: [
    [PROTECTED, { firewall: { requests: 500 } }, FIREWALL, FIREWALL],
    [EVERYTHING, { firewall: { requests: 2_000 } }],
  ],
  allowedOrigins: [
    [PROTECTED, { allowedOrigins: ['https://app.example.com'] }],
    [EVERYTHING, { allowedOrigins: ['https://app.example.org'] }],
  ],
  acceptedLosses: [[PROTECTED, { acceptedLosses: ['The topic Topic would be removed.'] }]],
};

/** The ids of the losses, without digests and names of stages. */
const idsOf = (was: Json, is: Json, place: Stage) =>
  findLosses(was, is, place).map(({ id }) => /^(FunctionCurrentVersion|ApiDomainMap)/.exec(id)?.[0] ?? id);
const unique = (ids: readonly string[]) => [...new Set(ids)].sort();

// A synth takes most of the time: what the first rows change of one stage is changed at once, then what the second ones change.
const rounds = Object.groupBy(
  Object.values(SETTINGS).flatMap((rows) =>
    rows.map((row, n) => ({ row, round: `${row[0].name}, round ${n + 1}` })),
  ),
  ({ round }) => round,
);
test.each(Object.entries(rounds))('settings are changed and changed back: %s', (_, found = []) => {
  const rows = found.map(({ row }) => row);
  const [[stage] = [PROTECTED]] = rows;
  const after: Stage = Object.assign({ ...stage }, ...rows.map(([, is]) => is));
  const [one, two] = [copyOf(stage).template, copyOf(after).template];
  expect(unique(idsOf(one, two, after))).toEqual(unique(rows.flatMap(([, , there = []]) => there)));
  expect(unique(idsOf(two, one, stage))).toEqual(unique(rows.flatMap(([, , , back = []]) => back)));
});

/** What has the Region or the account in an ARN: the access log, the permissions of the gateway, and the methods. */
const ARNS = expect.arrayContaining([expect.stringMatching(/^ApiDeploymentStage/)]);
test.each<[Stage, Partial<Stage>, there: unknown, back: unknown]>([
  // Unbound, the stack may be anywhere.
  [PROTECTED, { region: 'us-gov-west-1', account: '111122223333' }, [], ARNS],
  // Another Region has another stack.
  [{ ...PROTECTED, region: 'eu-west-1' }, { region: 'eu-west-3' }, ARNS, ARNS],
])('a stage is bound to a place: %#', (stage, is, there, back) => {
  const after = { ...stage, ...is };
  const [one, two] = [copyOf(stage).template, copyOf(after).template];
  expect(idsOf(one, two, after)).toEqual(there);
  expect(idsOf(two, one, stage)).toEqual(back);
});

test('"Deploy a fix while an alarm fires": the guard lists a canary that is off, not one that is on again', () => {
  const own = copyOf(PROTECTED).template;
  const { template: off } = synth(PROTECTED, undefined, { usesCodeDeploy: false });
  expect(findLosses(own, off).map(({ line }) => line)).toEqual([
    expect.stringMatching(/^Live \(AWS::Lambda::Alias\): UpdatePolicy changes from \{.+\} to nothing\.$/),
  ]);
  expect(findLosses(off, own)).toEqual([]);
});

test('the canary of the first deployment, with more memory, loses nothing', () => {
  const own = copyOf(PROTECTED).template;
  const { template } = synth(PROTECTED, ({ node }) => {
    (node.findChild('Function').node.defaultChild as CfnFunction).memorySize = 1_088;
  });
  expect(Object.keys(template.Resources)).not.toEqual(Object.keys(own.Resources));
  expect(findLosses(own, template)).toEqual([]);
});
