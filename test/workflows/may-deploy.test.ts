import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isExhaustive } from '../support/exhaustive.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

/** A repository with three commits of main, of which the second is checked out, and one of a main that was rewritten. */
function makeRepository() {
  const folder = temporaryFolder();
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=ci', '-c', 'user.email=ci@example.com', ...words], {
      encoding: 'utf8',
      input: '',
    }).trim();
  git('init', '--quiet', '--bare');
  const tree = git('mktree');
  const old = git('commit-tree', tree, '-m', 'old');
  const head = git('commit-tree', tree, '-m', 'head', '-p', old);
  git('update-ref', '--no-deref', 'HEAD', head);
  const newer = git('commit-tree', tree, '-m', 'newer', '-p', head);
  return { folder, old, head, newer, rewritten: git('commit-tree', tree, '-m', 'rewritten') };
}

const PROJECT = path.join(import.meta.dirname, '../..');

/** A project whose stages have a Region. */
function projectIn(region: string): string {
  const folder = temporaryFolder();
  symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
  mkdirSync(path.join(folder, 'infra'));
  writeFileSync(
    path.join(folder, 'infra/find-stage.ts'),
    `export const findStage = () => ({ region: '${region}' });`,
  );
  return folder;
}

/** What GitHub's CLI and AWS's print. */
interface Replies {
  /** The environment prod, as GitHub's API returns it, or another text. */
  readonly environment?: object | string;
  /** The description of the alias; with --output text, null is None (AWS CLI User Guide, "Setting the output format"). */
  readonly description?: string;
  /** The exit codes of the calls that print, by the second word. They print even then. */
  readonly codes?: Readonly<Record<string, number>>;
  /** The stage's own Region, which no stage of the stage file has. */
  readonly region?: string;
}

// Each test starts several programs.
const runs = isExhaustive('what the workflow asks before it deploys (with git and jq)');

describe.runIf(runs)('before a deployment', () => {
  const NONE = { folder: '', old: '', head: '', newer: '', rewritten: '' };
  const { folder, old, head, newer, rewritten } = runs ? makeRepository() : NONE;

  /** Runs the script with stand-ins for gh and aws on the path. @returns also the calls */
  function ask(
    words: string[],
    { environment = {}, description = 'None', codes = {}, region }: Replies,
    exempt = '',
  ) {
    const bin = temporaryFolder();
    const replies = {
      'api repos/octo/plants/environments/prod':
        typeof environment === 'string' ? environment : JSON.stringify({ name: 'prod', ...environment }),
      'cloudformation describe-stack-resource --stack-name PlantStore-prod --logical-resource-id Function --query StackResourceDetail.PhysicalResourceId --output text':
        'PlantStore-prod-Function-1',
      'lambda get-alias --function-name PlantStore-prod-Function-1 --name live --query Description --output text':
        description,
    };
    writeFileSync(path.join(bin, 'replies'), JSON.stringify(replies));
    writeFileSync(path.join(bin, 'codes'), JSON.stringify(codes));
    writeFileSync(path.join(bin, 'asked'), '');
    for (const program of ['gh', 'aws'])
      writeFileSync(
        path.join(bin, program),
        `#!/bin/sh
folder=$(dirname "$0")
echo "$1\${AWS_REGION:+ in $AWS_REGION}" >> "$folder/asked"
jq --raw-output --arg words "$*" '.[$words] // error("not stood in for")' "$folder/replies" || exit 99
exit "$(jq --arg word "$2" '.[$word] // 0' "$folder/codes")"
`,
        { mode: 0o755 },
      );
    const { status, stdout, stderr } = spawnSync(path.join(PROJECT, '.github/may-deploy.sh'), words, {
      cwd: region === undefined ? PROJECT : projectIn(region),
      encoding: 'utf8',
      env: {
        PATH: `${bin}${path.delimiter}${process.env.PATH}`,
        GITHUB_REPOSITORY: 'octo/plants',
        DEPLOY_WITHOUT_APPROVAL: exempt,
        GIT_DIR: folder,
        NODE_COMPILE_CACHE: path.join(tmpdir(), 'compile-cache'),
      },
    });
    const asked = readFileSync(path.join(bin, 'asked'), 'utf8').split('\n').slice(0, -1);
    return { status, stdout, stderr: stderr.split('\n').at(-2) ?? '', asked };
  }

  const REVIEWERS = {
    id: 1,
    type: 'required_reviewers',
    reviewers: [{ type: 'User', reviewer: { id: 1 } }],
  };
  const withRules = (...protection_rules: object[]) => ({ environment: { protection_rules } });
  const short = (commit: string) => commit.slice(0, 7);
  const contains = (commit: string) => `${short(head)} contains ${short(commit)}, which is deployed to prod.`;

  test.each<[line: string, words: string, asked: string[], replies: Replies, exempt?: string]>([
    ['dev is not protected, so nobody has to approve.', 'approval dev', [], {}],
    [
      'prod has required reviewers.',
      'approval prod',
      ['api'],
      withRules({ type: 'branch_policy' }, REVIEWERS),
    ],
    [
      'prod has no required reviewers, which DEPLOY_WITHOUT_APPROVAL allows.',
      'approval prod',
      ['api'],
      withRules(),
      'prod',
    ],
    [contains(head), 'order prod', ['cloudformation', 'lambda'], { description: `commit ${head}` }],
    [
      contains(head),
      'order prod',
      ['cloudformation in eu-west-3', 'lambda in eu-west-3'],
      { description: `commit ${head}`, region: 'eu-west-3' },
    ],
    [contains(old), 'order prod', ['cloudformation', 'lambda'], { description: `commit ${old}, modified` }],
  ])('may be deployed: %s', (line, words, asked, replies, exempt) => {
    const found = ask(words.split(' '), replies, exempt);
    expect(found).toMatchObject({ status: 0, stderr: '', asked });
    expect(found.stdout.split('\n').at(-2)).toBe(line);
  });

  test.each<[string, Replies, exempt?: string]>([
    ['no rules', {}],
    ['no rule that asks people', withRules({ type: 'wait_timer', wait_timer: 30 })],
    ['a rule without reviewers', withRules({ ...REVIEWERS, reviewers: [] })],
    ['no rules, and the variable names another stage', withRules(), 'staging'],
  ])('a protected stage is refused if its environment has %s', (_, replies, exempt) => {
    const { status, stdout, stderr } = ask(['approval', 'prod'], replies, exempt);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^The environment prod has no required reviewers, so nobody had to approve/);
  });

  const UNKNOWN = 'The alias of prod does not say which commit is deployed.';
  const older = (of: string) => `${short(head)} does not contain ${short(of)}, which is deployed to prod.`;
  test.each<[string, description: string | undefined, line: string]>([
    ['the deployed one is newer', `commit ${newer}`, older(newer)],
    ['main was rewritten', `commit ${rewritten}, modified`, older(rewritten)],
    ['the deployed one is gone', `commit ${'f'.repeat(40)}`, older('f'.repeat(40))],
    ['it is not known which one is deployed', 'commit not known', UNKNOWN],
    ['the alias has no description', undefined, UNKNOWN],
    ['more follows the commit', `commit ${old}, or another`, UNKNOWN],
    ['the description is an option', '--help', UNKNOWN],
  ])('a commit is refused: %s', (_, description, line) => {
    const { status, stdout, stderr } = ask(['order', 'prod'], { description });
    expect({ status, stdout, stderr: stderr.slice(0, line.length) }).toEqual({
      status: 1,
      stdout: '',
      stderr: line,
    });
  });

  const deployed = { description: `commit ${old}` };
  test.each<[string, words: string, replies: Replies]>([
    [
      'a refusal after a response',
      'approval prod',
      { ...withRules(REVIEWERS), codes: { 'repos/octo/plants/environments/prod': 1 } },
    ],
    ['no JSON', 'approval prod', { environment: '<html>' }],
    ['nothing', 'approval prod', { environment: '' }],
    ['another environment', 'approval prod', { environment: { name: 'dev', protection_rules: [REVIEWERS] } }],
    ['no list of reviewers', 'approval prod', withRules({ type: 'required_reviewers' })],
    ['no such stack', 'order prod', { ...deployed, codes: { 'describe-stack-resource': 254 } }],
    ['no permission to read the alias', 'order prod', { ...deployed, codes: { 'get-alias': 254 } }],
    ['no stage', 'approval', withRules(REVIEWERS)],
    ['no such stage', 'order no-such-stage', deployed],
    ['another command', 'refuse prod', deployed],
  ])('what nobody says refuses the deployment: %s, asked for %s', (_, words, replies) => {
    // A variable that allows the stage without reviewers does not help if it is not known whether it has some.
    const { status, stdout, stderr } = ask(words.split(' '), replies, 'prod');
    expect({ isRefused: status !== 0, stdout }).toEqual({ isRefused: true, stdout: '' });
    expect(stderr).not.toContain('unbound variable');
  });
});
