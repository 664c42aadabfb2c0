import { expect, test } from 'vitest';
import { checkStage } from '../../infra/check-stage.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { EVERYTHING, UNPROTECTED } from '../support/test-stages.ts';
import { TESTED_STAGES } from './synth.ts';

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
const APP = 'https://app.example.com';

test.each(TESTED_STAGES)('$name is accepted, and not changed', (stage) => {
  expect(checkStage(stage)).toEqual(stage);
});

// What the type check accepts in infra/stages.ts, except for the first.
test.each<[object, string]>([
  [{ logdays: 7 }, 'Unrecognized key: "logdays".'],
  [{ throttle: { rate: 1, burst: 1, brust: 2 } }, 'throttle: Unrecognized key: "brust".'],
  [
    { startScript: false },
    'Write plain: true in place of startScript: false, and nothing in place of startScript: true.',
  ],
  [{ throttle: { rate: 20, burst: 19 } }, 'throttle.burst: Too small: less than the rate.'],
  [{ tableCeiling: { reads: 1, writes: 399 } }, 'tableCeiling.writes: Too small: one plant can need 400'],
  [{ region: 'Frankfurt' }, 'region: Invalid AWS Region.'],
  [{ alarmEmail: 'a@example.com,b@example.com' }, 'alarmEmail: Invalid email address.'],
  [{ pagerTopicArn: `${PAGER}.fifo` }, 'pagerTopicArn: Invalid ARN of a standard SNS topic.'],
  [
    { pagerTopicArn: PAGER, account: '999999999999' },
    'pagerTopicArn: It must belong to account 999999999999',
  ],
  [{ domain: { ...domain, name: APP } }, 'domain.name: Invalid hostname.'],
  [{ domain: { ...domain, certificateArn: 'arn:aws:acm' } }, 'domain.certificateArn: Invalid ARN'],
  [{ domain, region: 'us-east-1' }, 'domain.certificateArn: It must be in us-east-1.'],
  [
    { domain: { ...domain, zone: { id: 'z', name: 'example.com' } } },
    'domain.zone.id: Invalid Route 53 zone',
  ],
  ...['ample.com', 'a.plants.example.com'].map((name): [object, string] => [
    { domain: { ...domain, zone: { id: 'Z1', name } } },
    `domain.name: It must be in the zone ${name}.`,
  ]),
  [{ keyArn: KEY }, 'keyArn: It needs the setting region.'],
  [{ keyArn: KEY.replace('key/', 'alias/'), region: 'eu-west-1' }, 'keyArn: Invalid ARN of a KMS key.'],
  [{ account: '1' }, 'account: Invalid AWS account; it must have 12 digits.'],
  [{ concurrency: 0 }, 'concurrency: Too small'],
  [{ expectsPlants: { minutes: 9 } }, 'expectsPlants.minutes: Too small'],
  [{ expectsPlants: { minutes: 1_441 } }, 'expectsPlants.minutes: Too big'],
  [{ firewall: { requests: 9 } }, 'firewall.requests: Too small'],
  [{ vpcEndpoints: ['vpc-1'] }, 'vpcEndpoints.0: Invalid id of a VPC endpoint.'],
  [{ vpcEndpoints: ['vpce-1'], domain }, 'domain: A private API cannot have a Regional domain.'],
  [{ acceptedLosses: ['Plants would be removed.'] }, 'acceptedLosses.0: Invalid entry; copy it from'],
  [{ allowedOrigins: [] }, 'allowedOrigins: Too small'],
  [
    { allowedOrigins: ['*'], isProtected: true },
    'allowedOrigins: "*" must be an origin as browsers send it,',
  ],
])('%j is refused in one line', (change, line) => {
  expect(refusals(change)).toEqual([expect.stringContaining(`Stage trial: ${line}`)]);
});

// An origin is compared character by character.
test.each([
  '*',
  'http://app.example.com',
  'http://localhost.example.com',
  `${APP}/`,
  'https://App.example.com',
  `${APP}:443`,
  `${APP}:65536`,
  'https://192.0.2.07',
  'https://*.example.com',
  // It would end a literal of the gateway.
  "https://app'.example.com",
  `${APP}\n`,
  'http://localhost:80',
  'file://localhost',
  'data://localhost',
  'wss://app.example.com',
  'capacitor:localhost',
  'capacitor://',
  'Capacitor://localhost',
  'null',
])('%j is refused, because no browser sends such an origin', (origin) => {
  const line = `Stage trial: allowedOrigins: ${JSON.stringify(origin)} must be an origin as browsers send it,`;
  expect(refusals({ allowedOrigins: [APP, origin] })).toEqual([expect.stringContaining(line)]);
});

test.each([
  { allowedOrigins: [`${APP}:8443`, 'http://localhost', 'http://127.0.0.1:5173', 'http://[::1]:5173'] },
  // Apps on a telephone or a desktop, and extensions of a browser.
  {
    allowedOrigins: [
      'capacitor://localhost',
      'ionic://localhost',
      'tauri://localhost',
      'http://tauri.localhost',
      'http://app.localhost:3000',
      'app://-',
      `chrome-extension://${'abcdefghijklmnop'.repeat(2)}`,
      'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc',
      'safari-web-extension://E1B2C3D4-62C7-7E4F-90E5-472B45EECFDC',
    ],
    isProtected: true,
  },
  { allowedOrigins: ['*'] },
  { region: 'us-gov-west-1' },
  { region: 'eusc-de-east-1' },
  { region: 'ap-southeast-7' },
  { name: 'dev-anna-2' },
  { name: 'a'.repeat(21) },
])('%j is accepted', (change) => {
  expect(refusals(change)).toEqual([]);
});

const NAMES = ['', 'Dev', 'dev_anna', 'dev--anna', '2dev', 'a'.repeat(22), 'all', 'pipeline', 'plants'];
test.each([...NAMES, 'review-dev'])('a stage cannot have the name %j', (name) => {
  expect(refusals({ name })).toEqual([
    expect.stringMatching(/^Stage ".*": a name has at most 21 lower-case/),
  ]);
});
