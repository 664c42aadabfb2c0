import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Stage, StageSettings } from '../../../infra/stage-settings.ts';
import { findLosses } from '../../../tools/guard/losses.ts';
import { copyOf, EVERYTHING, type Json, PROTECTED, synth, UNPROTECTED } from '../../infra/synth.ts';

/** The losses of a change that cannot pass; otherwise it passes. */
interface Losses {
  readonly there?: readonly string[];
  readonly back?: readonly string[];
}
type Row = readonly [stage: Stage, was: Partial<Stage>, is: Partial<Stage>, losses?: Losses];

const { domain } = EVERYTHING;
const BORROWED = { use: 'A-1', previous: 'B-2' };
const TABLES = ['PlantsF7D2F15D', 'AccessTokensB65260D5'];
const LOGS = ['FunctionLogsAE28C13D', 'AccessLogs8B620ECA'];
const ROLE = 'FunctionRole111A5701';
const DOMAIN = 'ApiDomain95042711';
const MAPPING = 'ApiDomainMapPlantStoreeverythingApi4070EE8D08C7145E';
const RECORD = 'DomainRecord2D97C7D4';

/** Two values of each setting, which is changed from one to the other and back. */
const SETTINGS: Readonly<Record<keyof StageSettings, readonly Row[]>> = {
  account: [[PROTECTED, {}, { account: '111122223333' }]],
  region: [
    // Without a Region, the environment's is used, which the guard cannot know.
    [PROTECTED, {}, { region: 'eu-west-1' }, { back: TABLES }],
    // Another Region has another stack. This can only be compared with --template.
    [PROTECTED, { region: 'eu-west-1' }, { region: 'eu-west-3' }, { there: TABLES, back: TABLES }],
  ],
  isTemplate: [[UNPROTECTED, {}, { isTemplate: true }]],
  // Tables and logs are then deleted with the stack.
  isProtected: [[PROTECTED, {}, { isProtected: false }, { there: [...TABLES, ...LOGS] }]],
  canaryMinutes: [
    [PROTECTED, {}, { canaryMinutes: 30 }],
    [PROTECTED, {}, { canaryMinutes: undefined }],
  ],
  throttle: [[PROTECTED, {}, { throttle: { rate: 1, burst: 2 } }]],
  tableCeiling: [
    [PROTECTED, {}, { tableCeiling: { reads: 1, writes: 400 } }],
    [UNPROTECTED, {}, { tableCeiling: { reads: 1, writes: 400 } }],
  ],
  concurrency: [[PROTECTED, {}, { concurrency: 9 }]],
  startScript: [[PROTECTED, {}, { startScript: false }]],
  // Entries over 30 days are then deleted.
  logDays: [[PROTECTED, {}, { logDays: 30 }, { there: LOGS }]],
  aboveNormal: [[PROTECTED, {}, { aboveNormal: { refusedTokens: 1, throttled: 1 } }]],
  alarmEmail: [
    [PROTECTED, {}, { alarmEmail: 'a@example.com' }],
    [EVERYTHING, {}, { alarmEmail: 'a@example.com' }],
  ],
  pagerTopicArn: [
    [PROTECTED, {}, { pagerTopicArn: 'arn:aws:sns:eu-west-1:111122223333:Pager' }],
    [EVERYTHING, {}, { pagerTopicArn: 'arn:aws:sns:eu-west-1:111122223333:Other' }],
  ],
  expectsPlants: [
    [PROTECTED, {}, { expectsPlants: { minutes: 30 } }],
    [EVERYTHING, {}, { expectsPlants: { minutes: 30 } }],
  ],
  domain: [
    // Clients use the name.
    [EVERYTHING, {}, { domain: undefined }, { there: [DOMAIN, MAPPING, RECORD] }],
    [EVERYTHING, {}, { domain: { ...domain, zone: undefined } }, { there: [RECORD] }],
    [
      EVERYTHING,
      {},
      { domain: { ...domain, name: 'herbs.example.com' } },
      { there: [DOMAIN, MAPPING, RECORD], back: [DOMAIN, MAPPING, RECORD] },
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
    [PROTECTED, {}, { firewall: { requests: 500 } }],
    [EVERYTHING, {}, { firewall: { requests: 10 } }],
  ],
  allowedOrigins: [
    [PROTECTED, {}, { allowedOrigins: ['https://app.example.com'] }],
    [EVERYTHING, {}, { allowedOrigins: ['https://app.example.org'] }],
  ],
  acceptedLosses: [[PROTECTED, {}, { acceptedLosses: ['The topic Topic would be removed.'] }]],
  borrowedTables: [
    // The stack no longer contains its own table, or would get an empty one; the role uses the other by another name.
    [
      PROTECTED,
      {},
      { borrowedTables: { plants: BORROWED } },
      { there: ['PlantsF7D2F15D', ROLE], back: [ROLE, 'PlantsF7D2F15D'] },
    ],
    [
      PROTECTED,
      {},
      { borrowedTables: { accessTokens: BORROWED } },
      { there: ['AccessTokensB65260D5', ROLE], back: [ROLE, 'AccessTokensB65260D5'] },
    ],
    // Neither belongs to the stack.
    [
      PROTECTED,
      { borrowedTables: { plants: BORROWED } },
      { borrowedTables: { plants: { use: BORROWED.previous, previous: BORROWED.use } } },
    ],
  ],
};

const rows = Object.entries(SETTINGS).flatMap(([setting, all]) => all.map((row) => ({ setting, row })));

test.each(rows)('$setting alone is changed and changed back', ({ setting, row }) => {
  const [stage, was, is, { there = [], back = [] } = {}] = row;
  const before: Stage = Object.keys(was).length > 0 ? { ...stage, ...was } : stage;
  const after: Stage = { ...stage, ...is };
  const [one, two] = [copyOf(before).template, synth(after).template] as Json[];
  const ids = (...templates: [Json, Json, string?]) => findLosses(...templates).map(({ id }) => id);
  // Only `-c stage` and the guard use these settings.
  expect(isDeepStrictEqual(one, two)).toBe(['isTemplate', 'acceptedLosses'].includes(setting));
  expect(ids(one, two, after.region)).toEqual(there);
  expect(ids(two, one, before.region)).toEqual(back);
});
