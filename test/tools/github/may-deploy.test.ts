import { expect, onTestFinished, test } from 'vitest';
import { checkApproval } from '../../../tools/github/approval.ts';
import { checkCommit } from '../../../tools/github/deployed-commit.ts';
import { currentRun } from '../../../tools/github/repository.ts';
import { expectRefusal, runTool } from '../run-tool.ts';
import { commitAt, type Deployed, REWRITTEN, type Repository, startGitHub } from './github-stand-in.ts';

const REVIEWERS = { id: 1, type: 'required_reviewers', reviewers: [{ type: 'User', reviewer: { id: 1 } }] };
const PROD = { name: 'prod', isProtected: true };

async function github(repository: Repository) {
  const started = await startGitHub(repository);
  onTestFinished(() => void started.close());
  return started;
}

test.each<[string, rules: readonly object[], line: string, exempt?: string]>([
  ['has required reviewers', [{ type: 'branch_policy' }, REVIEWERS], 'prod has required reviewers.'],
  [
    'has none, which the variable allows',
    [],
    'prod has no required reviewers, which DEPLOY_WITHOUT_APPROVAL allows.',
    'prod',
  ],
])('a protected stage may be deployed if its environment %s', async (_, rules, line, exempt) => {
  const { run } = await github({ rules });
  expect(await checkApproval(run, PROD, exempt)).toBe(line);
});

test.each<[string, rules: readonly object[] | undefined, exempt?: string]>([
  ['no rules', undefined],
  ['no rule that asks people', [{ type: 'wait_timer', wait_timer: 30 }, { type: 'branch_policy' }]],
  ['a rule without reviewers', [{ ...REVIEWERS, reviewers: [] }]],
  ['no rules, and the variable names another stage', [], 'staging'],
  ['no rules, and the variable is not set, which GitHub makes empty', [], ''],
])('a protected stage is refused if its environment has %s', async (_, rules, exempt) => {
  const { run } = await github({ rules });
  await expect(checkApproval(run, PROD, exempt)).rejects.toThrow(
    'The environment prod has no required reviewers, so nobody had to approve this deployment. Add them, or set the ' +
      'variable DEPLOY_WITHOUT_APPROVAL to prod if that is wanted (docs/first-deployment.md, step 21).',
  );
});

test('nobody has to approve a stage that is not protected', async () => {
  const { run, asked } = await github({});
  const line = 'dev is not protected, so nobody has to approve.';
  expect(await checkApproval(run, { name: 'dev', isProtected: false }, undefined)).toBe(line);
  expect(asked).toEqual([]);
});

/** The commit of the run is the fourth one of main. Its own job has started in minute 50. */
const own: Deployed = { commit: 3, statuses: { QUEUED: 49, IN_PROGRESS: 50 } };
const done = (commit: number, minute: number): Deployed => ({
  commit,
  statuses: { INACTIVE: minute + 5, SUCCESS: minute + 2, IN_PROGRESS: minute, WAITING: minute - 1 },
});
const failed = (commit: number, minute: number): Deployed => ({
  commit,
  statuses: { FAILURE: minute + 2, IN_PROGRESS: minute, WAITING: minute - 1 },
});
const rejected = (commit: number): Deployed => ({
  commit,
  statuses: { WAITING: 30, FAILURE: 40 },
});
const waiting = (commit: number): Deployed => ({ commit, statuses: { WAITING: 45 } });

const NONE = 'GitHub knows of no deployment of another commit to prod.';
const since = (commit: number, minute: number) =>
  `3333333 contains ${commitAt(commit).slice(0, 7)}, whose deployment to prod began at 2026-11-22T10:${minute}:00Z.`;
test.each<[string, Deployed[], string]>([
  ['the first one', [own], NONE],
  ['the deployed one', [own, done(3, 20)], NONE],
  ['newer than the deployed one', [own, done(2, 20)], since(2, 20)],
  ['newer than one that failed', [own, failed(2, 25), done(1, 20)], since(2, 25)],
  ['older than one that was rejected', [own, rejected(5), done(2, 20)], since(2, 20)],
  ['older than one that waits', [waiting(5), own, done(2, 20)], since(2, 20)],
  ['the second one since main was rewritten', [own, done(2, 20), done(REWRITTEN, 10)], since(2, 20)],
])('a commit may be deployed: %s', async (_, deployed, line) => {
  const { run } = await github({ deployed });
  expect(await checkCommit(run, 'prod')).toBe(line);
});

test.each<[string, Deployed[], commit: number, minute: number, id: number]>([
  ['the deployed one is newer', [own, done(4, 20)], 4, 20, 99],
  ['a newer one has failed, perhaps after deploying', [own, failed(4, 25), done(2, 20)], 4, 25, 99],
  ['an older one was refused since', [own, failed(1, 30), done(4, 20)], 4, 20, 98],
  ['main was rewritten', [own, done(REWRITTEN, 20)], REWRITTEN, 20, 99],
  // The order of a queue is not guaranteed, so the job that was queued first may have started last.
  ['the newer one was queued earlier', [own, done(2, 20), done(4, 30)], 4, 30, 98],
])('a commit is refused: %s', async (_, deployed, commit, minute, id) => {
  const { run } = await github({ deployed });
  await expect(checkCommit(run, 'prod')).rejects.toThrow(
    `3333333 does not contain ${commitAt(commit).slice(0, 7)}, whose deployment to prod began at 2026-11-22T10:${minute}:00Z. ` +
      `Deploy a newer commit. If main was rewritten, delete deployment ${id} (docs/first-deployment.md, step 22).`,
  );
});

const ENVIRONMENT = '/repos/octo/plants/environments/prod';
test.each<[string, NonNullable<Repository['broken']>, string]>([
  [
    'a refusal',
    { [ENVIRONMENT]: { status: 403, text: '{"message":\n"no\u001b[31m"}' } },
    '/environments/prod: status 403: {"message": "no\u001b[31m"}.',
  ],
  [
    'no JSON',
    { [ENVIRONMENT]: { status: 200, text: '<html>' } },
    '/environments/prod: the answer is not the expected one: <html>.',
  ],
  [
    'an error of GraphQL',
    { '/graphql': { status: 200, text: '{"data":{"repository":null},"errors":[]}' } },
    'the deployments: the answer is not the expected one: {"data":{"repository":null},"errors":[]}.',
  ],
  [
    'an unknown commit',
    { '/repos/octo/plants/compare/': { status: 404, text: 'Not Found' } },
    `/compare/${commitAt(2)}...${commitAt(3)}?per_page=1: status 404: Not Found.`,
  ],
])('what GitHub does not say refuses the deployment: %s', async (_, broken, message) => {
  const { run } = await github({ rules: [REVIEWERS], deployed: [own, done(2, 20)], broken });
  const both = async () => [await checkApproval(run, PROD, undefined), await checkCommit(run, 'prod')];
  await expect(both()).rejects.toThrow(`GitHub cannot be asked for ${message}`);
});

test('a GitHub that cannot be reached refuses the deployment', async () => {
  const { run, close } = await github({});
  close();
  await expect(checkApproval(run, PROD, undefined)).rejects.toThrow(
    /^GitHub cannot be asked for \/environments\/prod: connect ECONNREFUSED/,
  );
});

test('missing and invalid variables are named, without their values', () => {
  const env = {
    GITHUB_API_URL: 'file:///x',
    GITHUB_GRAPHQL_URL: 'http://a',
    GH_TOKEN: 'ghs_secret',
    GITHUB_SHA: 'main',
  };
  expect(() => currentRun(env)).toThrow(
    'This needs a run of the workflow on GitHub; missing or invalid: GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_SHA.',
  );
});

test('npm run may-deploy says why a stage may be deployed, or ends with exit code 1', async () => {
  const { run: env } = await github({ rules: [REVIEWERS], deployed: [own, done(2, 20)] });
  expect(await runTool('may-deploy', ['--stage', 'prod'], { env })).toMatchObject({
    code: 0,
    out: `prod has required reviewers.\n${since(2, 20)}\n`,
    err: '',
  });
  const refused = await github({ rules: [], deployed: [own] });
  const message = /^The environment prod has no required reviewers/;
  await expectRefusal('may-deploy', ['--stage', 'prod'], { code: 1, message }, { env: refused.run });
  await expectRefusal('may-deploy', [], { code: 2, message: 'Name the stage: --stage NAME.' });
});
