import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyOf, PROTECTED, resources } from '../../test/infra/synth.ts';
import { someOf } from '../../test/support/exhaustive.ts';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { isThere } from '../../test/support/needs.ts';

const ROOT = path.join(import.meta.dirname, '../..');
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

/** What GitHub's CLI and AWS's print. */
interface Replies {
  /** The environment prod, as GitHub's API returns it, or another text. */
  readonly environment?: object | string;
  /** The description of the alias, or null without one. */
  readonly description?: string | null;
  /** The exit codes of the calls that print, by the second word. They print even then. */
  readonly codes?: Readonly<Record<string, number>>;
}

describe.skipIf(!hasPrograms)('before a deployment', () => {
  const { folder, main, rewritten } = hasPrograms
    ? makeRepository()
    : { folder: '', main: [], rewritten: '' };
  const commit = (place: number) => main[place] ?? '';
  /** A commit that is not in the repository. */
  const GONE = 'f'.repeat(40);
  const [[FUNCTION = '']] = [resources(copyOf(PROTECTED), 'AWS::Lambda::Function')[0] ?? []];

  /** Runs the script with stand-ins for gh and aws on the path. @returns also the calls, with the Region of those of AWS */
  function ask(
    words: string[],
    { environment = { name: 'prod' }, description = null, codes = {} }: Replies,
    env: NodeJS.ProcessEnv = {},
    cwd = ROOT,
  ) {
    const bin = temporaryFolder();
    const replies = {
      'api repos/octo/plants/environments/prod':
        typeof environment === 'string' ? environment : JSON.stringify(environment),
      [`cloudformation describe-stack-resource --stack-name PlantStore-prod --logical-resource-id ${FUNCTION} --query StackResourceDetail.PhysicalResourceId --output text`]:
        'PlantStore-prod-Function-1',
      // With --output text, null is None (AWS CLI User Guide, "Setting the output format in the AWS CLI").
      'lambda get-alias --function-name PlantStore-prod-Function-1 --name live --query Description --output text':
        description ?? 'None',
    };
    writeFileSync(path.join(bin, 'replies'), JSON.stringify(replies));
    writeFileSync(path.join(bin, 'codes'), JSON.stringify(codes));
    writeFileSync(path.join(bin, 'asked'), '');
    for (const program of ['gh', 'aws'])
      writeFileSync(
        path.join(bin, program),
        `#!/bin/sh
folder=$(dirname "$0")
echo "$*\${AWS_REGION:+ in $AWS_REGION}" >> "$folder/asked"
jq --raw-output --arg words "$*" '.[$words] // error("not stood in for")' "$folder/replies" || exit 99
exit "$(jq --arg word "$2" '.[$word] // 0' "$folder/codes")"
`,
        { mode: 0o755 },
      );
    const { status, stdout, stderr } = spawnSync('.github/may-deploy.sh', words, {
      cwd,
      encoding: 'utf8',
      env: {
        PATH: `${bin}${path.delimiter}${process.env.PATH}`,
        GITHUB_REPOSITORY: 'octo/plants',
        GIT_DIR: folder,
        NODE_COMPILE_CACHE: path.join(tmpdir(), 'compile-cache'),
        ...env,
      },
    });
    const asked = readFileSync(path.join(bin, 'asked'), 'utf8').split('\n').slice(0, -1);
    return { status, stdout, stderr, asked };
  }

  const ENVIRONMENT = 'repos/octo/plants/environments/prod';
  const REVIEWERS = { id: 1, type: 'required_reviewers', reviewers: [{ type: 'User', reviewer: { id: 1 } }] };
  const withRules = (...protection_rules: object[]) => ({ environment: { name: 'prod', protection_rules } });

  test.each<[string, replies: Replies, line: string, exempt?: string]>([
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
  ])('a protected stage may be deployed if its environment %s', (_, replies, line, exempt) => {
    const found = ask(['approval', 'prod'], replies, { DEPLOY_WITHOUT_APPROVAL: exempt });
    expect(found).toMatchObject({ status: 0, stdout: `${line}\n`, stderr: '' });
    expect(found.asked).toEqual(['api repos/octo/plants/environments/prod']);
  });

  test.each<[string, replies: Replies, exempt?: string]>([
    ['no rules', { environment: { name: 'prod' } }],
    [
      'no rule that asks people',
      withRules({ type: 'wait_timer', wait_timer: 30 }, { type: 'branch_policy' }),
    ],
    ['a rule without reviewers', withRules({ ...REVIEWERS, reviewers: [] })],
    ['no rules, and the variable names another stage', withRules(), 'staging'],
    ['no rules, and the variable is not set, which GitHub makes empty', withRules(), ''],
  ])('a protected stage is refused if its environment has %s', (_, replies, exempt) => {
    const found = ask(['approval', 'prod'], replies, { DEPLOY_WITHOUT_APPROVAL: exempt });
    expect(found).toMatchObject({
      status: 1,
      stdout: '',
      stderr:
        'The environment prod has no required reviewers, so nobody had to approve this deployment. Add them, or set the variable DEPLOY_WITHOUT_APPROVAL to prod if that is wanted (docs/first-deployment.md, step 21).\n',
    });
  });

  test('nobody has to approve a stage that is not protected', () => {
    const line = 'dev is not protected, so nobody has to approve.\n';
    expect(ask(['approval', 'dev'], {})).toEqual({ status: 0, stdout: line, stderr: '', asked: [] });
  });

  const short = (place: number) => commit(place).slice(0, 7);
  const contains = (place: number) => `${short(3)} contains ${short(place)}, which is deployed to prod.\n`;
  test.each<[string, description: string, out: string]>([
    ['the deployed one', `commit ${commit(3)}`, contains(3)],
    ['newer than the deployed one', `commit ${commit(2)}`, contains(2)],
    ['much newer', `commit ${commit(0)}`, contains(0)],
    [
      'newer than one that was deployed with other changes',
      `commit ${commit(2)}, modified`,
      `${short(2)} was deployed to prod with changes that were not committed. This deployment undoes them.\n${contains(2)}`,
    ],
  ])('a commit may be deployed: %s', (_, description, out) => {
    const found = ask(['order', 'prod'], { description }, { AWS_REGION: 'eu-west-1' });
    expect(found).toMatchObject({ status: 0, stdout: out, stderr: '' });
    // Of GitHub nothing is asked.
    expect(found.asked).toEqual([
      expect.stringMatching(/^cloudformation describe-stack-resource .+ in eu-west-1$/),
      expect.stringMatching(/^lambda get-alias .+ in eu-west-1$/),
    ]);
  });

  test('the commit of a stage that is bound to a Region is read there', () => {
    const cwd = temporaryFolder();
    for (const part of ['infra', 'terminal', '.github', 'package.json'])
      cpSync(path.join(ROOT, part), path.join(cwd, part), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(cwd, 'node_modules'));
    const file = path.join(cwd, 'infra', 'stages.ts');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('  prod: {', "  prod: {\n    region: 'eu-west-3',"),
    );
    const description = `commit ${commit(2)}`;
    const found = ask(['order', 'prod'], { description }, { AWS_REGION: 'eu-west-1' }, cwd);
    expect(found).toMatchObject({ status: 0, stderr: '' });
    expect(found.asked.map((words) => words.replace(/.* /, ''))).toEqual(['eu-west-3', 'eu-west-3']);
  });

  const older = (of: string) =>
    `${short(3)} does not contain ${of.slice(0, 7)}, which is deployed to prod. Deploy a newer commit. ` +
    `If ${of.slice(0, 7)} is not on main, see docs/first-deployment.md, step 22.`;
  const UNKNOWN =
    'The alias of prod does not say which commit is deployed. Deploy this commit by hand, from a clone of the repository ' +
    '(docs/first-deployment.md, step 22).';
  const REFUSED: [string, description: string | null, line: string][] = [
    ['the deployed one is newer', `commit ${commit(4)}`, older(commit(4))],
    ['the deployed one is newer, and modified', `commit ${commit(4)}, modified`, older(commit(4))],
    ['main was rewritten', `commit ${rewritten}`, older(rewritten)],
    ['main was rewritten, and the deployed one is gone', `commit ${GONE}`, older(GONE)],
    ['it is not known which one is deployed', 'commit not known', UNKNOWN],
    ['the alias has no description', null, UNKNOWN],
    ['the alias has an empty description', '', UNKNOWN],
    ['the description is not of a deployment', `${commit(2)} commit ${commit(2)}`, UNKNOWN],
    ['more follows the commit', `commit ${commit(2)}, or another`, UNKNOWN],
    ['the description is an option', '--help', UNKNOWN],
  ];
  test.each(someOf(REFUSED, 'commits that may not be deployed'))(
    'a commit is refused: %s',
    (_, description, line) => {
      const { status, stdout, stderr } = ask(['order', 'prod'], { description });
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      // Git says first that it does not have a commit.
      expect(stderr.split('\n').at(-2)).toBe(line);
    },
  );

  const deployed = { description: `commit ${commit(2)}` };
  test.each<[string, words: string, replies: Replies]>([
    ['a refusal', 'approval', { environment: '{"message":"Not Found"}', codes: { [ENVIRONMENT]: 1 } }],
    ['a refusal after a response', 'approval', { ...withRules(REVIEWERS), codes: { [ENVIRONMENT]: 1 } }],
    ['no JSON', 'approval', { environment: '<html>' }],
    ['nothing', 'approval', { environment: '' }],
    ['another environment', 'approval', { environment: { name: 'dev', protection_rules: [REVIEWERS] } }],
    ['no list of reviewers', 'approval', withRules({ type: 'required_reviewers' })],
    ['no such stack', 'order', { ...deployed, codes: { 'describe-stack-resource': 254 } }],
    ['no permission to read the alias', 'order', { ...deployed, codes: { 'get-alias': 254 } }],
  ])('what GitHub or AWS does not say refuses the deployment: %s, asked for the %s', (_, word, replies) => {
    // A variable that allows the stage without reviewers does not help if it is not known whether it has some.
    const { status, stdout, stderr } = ask([word, 'prod'], replies, { DEPLOY_WITHOUT_APPROVAL: 'prod' });
    expect({ isRefused: status !== 0, stdout }).toEqual({ isRefused: true, stdout: '' });
    expect(stderr).not.toContain('may-deploy.sh: line');
  });

  test.each([
    [[]],
    [['approval']],
    [['order']],
    [['refuse', 'prod']],
    [['approval', 'no-such-stage']],
    [['order', 'no-such-stage']],
  ])('the words %j are refused', (words) => {
    const { status, stdout, asked } = ask(words, withRules(REVIEWERS));
    expect({ isRefused: status !== 0, stdout, asked }).toEqual({ isRefused: true, stdout: '', asked: [] });
  });
});
