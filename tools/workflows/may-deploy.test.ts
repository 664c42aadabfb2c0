import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { isThere } from '../../test/support/needs.ts';

const works = (program: string) => spawnSync(program, ['--version']).status === 0;
const hasPrograms = isThere(works('git') && works('jq'), {
  tests: 'the tests of what the workflow asks before it deploys',
  why: 'there is no git or no jq here.',
  required: process.env.CI === 'true',
});

/** A repository with six commits of main, of which the fourth is checked out, and one of a main that was rewritten. */
function makeRepository() {
  const folder = temporaryFolder();
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=ci', '-c', 'user.email=ci@example.com', ...words], {
      encoding: 'utf8',
      input: '',
    }).trim();
  git('init', '--quiet', '--bare');
  const tree = git('mktree');
  const main: string[] = [];
  for (const n of [0, 1, 2, 3, 4, 5])
    main.push(git('commit-tree', tree, '-m', `${n}`, ...main.slice(-1).flatMap((parent) => ['-p', parent])));
  git('update-ref', '--no-deref', 'HEAD', main[3] ?? '');
  return { folder, main, rewritten: git('commit-tree', tree, '-m', 'rewritten') };
}

/** The environment prod, and its deployments, as GitHub's APIs return them; or another text. */
interface GitHub {
  readonly environment?: object | string;
  readonly deployments?: readonly object[] | string;
  /** The exit code of gh, which prints GitHub's response even then. */
  readonly code?: number;
}

describe.skipIf(!hasPrograms)('before a deployment', () => {
  const { folder, main, rewritten } = hasPrograms
    ? makeRepository()
    : { folder: '', main: [], rewritten: '' };
  const commit = (place: number) => main[place] ?? '';
  /** A commit that is not in the repository. */
  const GONE = 'f'.repeat(40);

  /** Runs the script with a stand-in for gh on the path. @returns also the words of the calls of gh */
  function ask(words: string[], { environment, deployments, code = 0 }: GitHub, env: NodeJS.ProcessEnv = {}) {
    const bin = temporaryFolder();
    const text = (response: object | string) =>
      typeof response === 'string' ? response : JSON.stringify(response);
    const data = (nodes: readonly object[]) => ({ data: { repository: { deployments: { nodes } } } });
    writeFileSync(path.join(bin, 'environment'), text(environment ?? { name: 'prod' }));
    writeFileSync(
      path.join(bin, 'graphql'),
      text(typeof deployments === 'string' ? deployments : data(deployments ?? [])),
    );
    writeFileSync(path.join(bin, 'asked'), '');
    writeFileSync(
      path.join(bin, 'gh'),
      `#!/bin/sh
folder=$(dirname "$0")
printf '%s\\n' "$@" >> "$folder/asked"
case "$2" in graphql) cat "$folder/graphql" ;; repos/octo/plants/environments/prod) cat "$folder/environment" ;; esac
exit ${code}
`,
      { mode: 0o755 },
    );
    const { status, stdout, stderr } = spawnSync('.github/may-deploy.sh', words, {
      encoding: 'utf8',
      env: {
        PATH: `${bin}${path.delimiter}${process.env.PATH}`,
        GITHUB_REPOSITORY: 'octo/plants',
        GIT_DIR: folder,
        ...env,
      },
    });
    return { status, stdout, stderr, asked: readFileSync(path.join(bin, 'asked'), 'utf8') };
  }

  const REVIEWERS = { id: 1, type: 'required_reviewers', reviewers: [{ type: 'User', reviewer: { id: 1 } }] };
  const withRules = (...protection_rules: object[]) => ({ environment: { name: 'prod', protection_rules } });

  test.each<[string, github: GitHub, line: string, exempt?: string]>([
    [
      'has required reviewers',
      withRules({ type: 'branch_policy' }, REVIEWERS),
      'prod has required reviewers.',
    ],
    [
      'has none, which the variable allows',
      withRules(),
      'prod has no required reviewers, which DEPLOY_WITHOUT_APPROVAL allows.',
      'prod',
    ],
  ])('a protected stage may be deployed if its environment %s', (_, github, line, exempt) => {
    const found = ask(['approval', 'prod'], github, { DEPLOY_WITHOUT_APPROVAL: exempt });
    expect(found).toMatchObject({ status: 0, stdout: `${line}\n`, stderr: '' });
    expect(found.asked).toBe('api\nrepos/octo/plants/environments/prod\n');
  });

  test.each<[string, github: GitHub, exempt?: string]>([
    ['no rules', { environment: { name: 'prod' } }],
    [
      'no rule that asks people',
      withRules({ type: 'wait_timer', wait_timer: 30 }, { type: 'branch_policy' }),
    ],
    ['a rule without reviewers', withRules({ ...REVIEWERS, reviewers: [] })],
    ['no rules, and the variable names another stage', withRules(), 'staging'],
    ['no rules, and the variable is not set, which GitHub makes empty', withRules(), ''],
  ])('a protected stage is refused if its environment has %s', (_, github, exempt) => {
    const found = ask(['approval', 'prod'], github, { DEPLOY_WITHOUT_APPROVAL: exempt });
    expect(found).toMatchObject({
      status: 1,
      stdout: '',
      stderr:
        'The environment prod has no required reviewers, so nobody had to approve this deployment. Add them, or set the variable DEPLOY_WITHOUT_APPROVAL to prod if that is wanted (docs/first-deployment.md, step 21).\n',
    });
  });

  test('nobody has to approve a stage that is not protected', () => {
    const line = 'dev is not protected, so nobody has to approve.\n';
    expect(ask(['approval', 'dev'], {})).toEqual({ status: 0, stdout: line, stderr: '', asked: '' });
  });

  /** A deployment with the minutes of its statuses. */
  const deployment = (databaseId: number, commitOid: string, minutes: Readonly<Record<string, number>>) => ({
    databaseId,
    commitOid,
    statuses: {
      nodes: Object.entries(minutes).map(([state, minute]) => ({
        state,
        createdAt: `2026-11-22T10:${minute}:00Z`,
      })),
      pageInfo: { hasNextPage: false },
    },
  });
  /** The job of this run: its commit is the fourth one of main. */
  const own = deployment(100, commit(3), { QUEUED: 49, IN_PROGRESS: 50 });
  const done = (of: string, minute: number, id = 99) =>
    deployment(id, of, {
      INACTIVE: minute + 5,
      SUCCESS: minute + 2,
      IN_PROGRESS: minute,
      WAITING: minute - 1,
    });
  const failed = (of: string, minute: number, id = 99) =>
    deployment(id, of, { FAILURE: minute + 2, IN_PROGRESS: minute, WAITING: minute - 1 });
  const rejected = (of: string) => deployment(99, of, { WAITING: 30, FAILURE: 40 });
  const waiting = (of: string) => deployment(101, of, { WAITING: 45 });
  const ofCommit = (of: string, minute: number) =>
    `${of.slice(0, 7)}, whose deployment to prod began at 2026-11-22T10:${minute}:00Z.`;

  const NONE = 'GitHub knows of no deployment of another commit to prod.';
  const after = (place: number, minute: number) =>
    `${commit(3).slice(0, 7)} contains ${ofCommit(commit(place), minute)}`;
  test.each<[string, deployments: object[], line: string]>([
    ['the first one', [own], NONE],
    ['the deployed one', [own, done(commit(3), 20)], NONE],
    ['newer than the deployed one', [own, done(commit(2), 20)], after(2, 20)],
    ['newer than one that failed', [own, failed(commit(2), 25), done(commit(1), 20, 98)], after(2, 25)],
    ['older than one that was rejected', [own, rejected(commit(5)), done(commit(2), 20, 98)], after(2, 20)],
    ['older than one that waits', [waiting(commit(5)), own, done(commit(2), 20)], after(2, 20)],
    [
      'the second one since main was rewritten',
      [own, done(commit(2), 20), done(rewritten, 11, 98)],
      after(2, 20),
    ],
  ])('a commit may be deployed: %s', (_, deployments, line) => {
    const found = ask(['order', 'prod'], { deployments });
    expect(found).toMatchObject({ status: 0, stdout: `${line}\n`, stderr: '' });
    expect(found.asked).toMatch(/^api\ngraphql\n-f\nquery=query \(/);
    expect(found.asked).toMatch(/\n-f\nowner=octo\n-f\nname=plants\n-f\nenvironment=prod\n$/);
  });

  test.each<[string, deployments: object[], of: string, minute: number, id: number]>([
    ['the deployed one is newer', [own, done(commit(4), 20)], commit(4), 20, 99],
    [
      'a newer one has failed, perhaps after deploying',
      [own, failed(commit(4), 25), done(commit(2), 20, 98)],
      commit(4),
      25,
      99,
    ],
    [
      'an older one was refused since',
      [own, failed(commit(1), 30), done(commit(4), 20, 98)],
      commit(4),
      20,
      98,
    ],
    ['main was rewritten', [own, done(rewritten, 20)], rewritten, 20, 99],
    ['main was rewritten, and the deployed one is gone', [own, done(GONE, 20)], GONE, 20, 99],
    // The order of a queue is not guaranteed, so the job that was queued first may have started last.
    [
      'the newer one was queued earlier',
      [own, done(commit(2), 20), done(commit(4), 30, 98)],
      commit(4),
      30,
      98,
    ],
  ])('a commit is refused: %s', (_, deployments, of, minute, id) => {
    const { status, stdout, stderr } = ask(['order', 'prod'], { deployments });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    // Git says first that it does not have a commit.
    expect(stderr.split('\n').at(-2)).toBe(
      `${commit(3).slice(0, 7)} does not contain ${ofCommit(of, minute)} Deploy a newer commit. ` +
        `If main was rewritten, delete deployment ${id} (docs/first-deployment.md, step 22).`,
    );
  });

  const NO_NODES = { data: { repository: { deployments: { nodes: [] } } } };
  const older = done(commit(2), 20);
  test.each<[string, words: string, github: GitHub]>([
    ['a refusal', 'approval', { environment: '{"message":"Not Found"}', code: 1 }],
    ['a refusal of the token after a response', 'approval', { ...withRules(REVIEWERS), code: 1 }],
    ['no JSON', 'approval', { environment: '<html>' }],
    ['nothing', 'approval', { environment: '' }],
    ['another environment', 'approval', { environment: { name: 'dev', protection_rules: [REVIEWERS] } }],
    ['no list of reviewers', 'approval', withRules({ type: 'required_reviewers' })],
    ['a refusal', 'order', { deployments: [], code: 1 }],
    ['nothing', 'order', { deployments: '' }],
    ['no repository', 'order', { deployments: '{"data":{"repository":null}}' }],
    [
      'errors beside an empty list',
      'order',
      { deployments: JSON.stringify({ ...NO_NODES, errors: [{ message: 'no' }] }) },
    ],
    ['no statuses', 'order', { deployments: [own, { ...older, statuses: null }] }],
    [
      'not all statuses',
      'order',
      { deployments: [own, { ...older, statuses: { ...older.statuses, pageInfo: { hasNextPage: true } } }] },
    ],
    ['no commit', 'order', { deployments: [own, { ...older, commitOid: '--help' }] }],
    [
      'no time',
      'order',
      {
        deployments: [
          { ...older, statuses: { ...older.statuses, nodes: [{ state: 'SUCCESS', createdAt: 'a b' }] } },
        ],
      },
    ],
  ])('what GitHub does not say refuses the deployment: %s, asked for the %s', (_, word, github) => {
    // A variable that allows the stage without reviewers does not help if it is not known whether it has some.
    const { status, stdout, stderr } = ask([word, 'prod'], github, { DEPLOY_WITHOUT_APPROVAL: 'prod' });
    expect({ isRefused: status !== 0, stdout }).toEqual({ isRefused: true, stdout: '' });
    expect(stderr).not.toContain('may-deploy.sh: line');
  });

  test.each([[[]], [['approval']], [['refuse', 'prod']], [['approval', 'no-such-stage']]])(
    'the words %j are refused',
    (words) => {
      const { status, stdout, asked } = ask(words, withRules(REVIEWERS));
      expect({ isRefused: status !== 0, stdout, asked }).toEqual({ isRefused: true, stdout: '', asked: '' });
    },
  );
});
