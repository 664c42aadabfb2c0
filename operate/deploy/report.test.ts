import { expect, test } from 'vitest';
import { UNKNOWN } from '../../infra/working-copy.ts';
import type { Live } from '../shared/live-versions.ts';
import { type EndedDeployment, reportOn } from './report.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const bad = '89abcdef0123456789abcdef0123456789abcdef';
const live = (version: string, shares: [string, number][] = [[version, 1]]): Live => ({
  functionName: 'create-plant',
  version,
  shares: new Map(shares),
  ofStack: ['12'],
  source: { commit: version === '13' ? bad : commit, isModified: false },
});
const counts = { held: 600, failures: 0, throttled: 0, overlooked: 0.0301 };
const GOOD: EndedDeployment = {
  before: live('12'),
  hasSucceeded: true,
  counts,
  isTokenLeft: false,
  status: 'UPDATE_COMPLETE',
  after: live('13'),
  answer: undefined,
};
const BOTH = live('12', Object.entries({ 12: 0.9, 13: 0.1 }));
const FAILED = { ...counts, failures: 4 };
const GUIDE = 'roll back: docs/deploy.md#roll-back-a-deployment';
const COMMAND = `${GUIDE}, or at once:
  git fetch origin ${bad} ${commit}; git switch --detach ${bad} &&
  git restore --source ${commit} --staged --worktree . ':!infra/stages.ts' &&
  git commit -m 'Back to 0123456' && npm ci && npm run deploy -- --stage prod --no-canary
Then bring this commit to main, so that the next deployment keeps the good files.`;
const DOCTOR = 'npm run doctor -- --stage prod';
const VERIFY = 'npm run verify -- --stage prod';
const DIAGNOSE =
  'npx cdk diagnose --unstable=diagnose -c stage=prod, then docs/deploy.md#a-deployment-that-failed-halfway';

test.each<[what: string, Partial<EndedDeployment>, next: string, isGood?: true]>([
  ['all held', {}, 'nothing; the checks held.', true],
  ['none were made', { counts: undefined }, VERIFY, true],
  ['the bad version serves', { counts: FAILED }, COMMAND],
  ['the CDK failed, but the version serves', { hasSucceeded: false }, COMMAND],
  ['somebody had moved the alias', { counts: FAILED, before: live('11') }, GUIDE],
  ['the earlier commit is not known', { counts: FAILED, before: { ...live('12'), source: UNKNOWN } }, GUIDE],
  ['the bad commit is not known', { counts: FAILED, after: { ...live('13'), source: UNKNOWN } }, GUIDE],
  [
    'the bad version has changes that were not committed',
    { counts: FAILED, after: { ...live('13'), source: { commit: bad, isModified: true } } },
    GUIDE,
  ],
  ['the function did not change', { counts: FAILED, after: live('12') }, DOCTOR],
  ['CodeDeploy rolled back', { hasSucceeded: false, counts: FAILED, after: live('12') }, DIAGNOSE],
  [
    'the first deployment failed',
    { hasSucceeded: false, before: undefined, after: 'no such stack' },
    DIAGNOSE,
  ],
  ['all were throttled', { counts: { ...counts, held: 0, throttled: 600 } }, VERIFY],
  ['Lambda does not say', { after: 'Denied' }, DOCTOR],
  ['two versions serve', { after: BOTH }, DOCTOR],
  ['the function does not start, and did before', { counts: undefined, answer: 50401 }, COMMAND],
  [
    'the first version does not start',
    { counts: undefined, before: undefined, answer: 50401 },
    'npm run logs -- --stage prod --query reports, then docs/runbook-alarms.md#functionerrors',
  ],
  ['the stage is stopped', { counts: undefined, answer: 42901 }, VERIFY, true],
  ['the token of the checks is left', { isTokenLeft: true }, 'nothing; the checks held.'],
])('report: what to do next if %s', (_, change, next, isGood = false as never) => {
  const report = reportOn({ name: 'prod' }, { ...GOOD, ...change });
  expect([report.lines.at(-1), report.isGood]).toEqual([`Next: ${next}`, isGood]);
});

test('report: the lines before say how it ended, what the checks would have seen, and which version serves', () => {
  expect(reportOn({ name: 'prod' }, GOOD).lines.slice(0, -1)).toEqual([
    'The deployment has succeeded. Checks: 600; failures: 0; throttled: 0.',
    'A version that fails one request in ten would have been seen in 96 of 100 such canaries.',
    'PlantStore-prod is served by version 13 (100 %); before: 12.',
  ]);
  const unknown = reportOn(
    { name: 'prod' },
    { ...GOOD, hasSucceeded: false, counts: undefined, after: 'Denied' },
  );
  expect(unknown.lines.slice(0, -1)).toEqual([
    'The deployment has failed.',
    'Which version serves is not known: Denied',
  ]);
  expect(reportOn({ name: 'prod' }, { ...GOOD, after: BOTH }).lines).toContain(
    'PlantStore-prod is served by version 12 (90 %) and 13 (10 %), as before.',
  );
});

test.each<[plain: boolean, answer: number | string, line: string]>([
  [false, 40101, '40101: the function starts.'],
  [
    false,
    50401,
    '50401: the function gave no response. If its log shows that it does not start, set plain: true of the stage (docs/decisions.md, 10), and deploy it.',
  ],
  [true, 50401, '50401: the function gave no response.'],
  [false, 42901, '42901, which does not say whether the function starts.'],
  [false, 'no response: refused', 'no response: refused, which does not say whether the function starts.'],
])('report: with plain %s, a request without a token got %s', (plain, answer, line) => {
  const { lines } = reportOn({ name: 'prod', plain }, { ...GOOD, counts: undefined, answer });
  expect(lines).toContain(`A request without a token got ${line}`);
});
