import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { findStage } from '../../infra/find-stage.ts';
import { error, noStack, ok, type Responses, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { commitAll, git, hasGit } from '../../test/support/repository.ts';
import { runWithAws } from '../../test/support/run-command.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { PROD } from '../../test/support/test-stages.ts';
import { findStack } from '../shared/deployed-stack.ts';
import { compareStage } from './compare-stage.ts';

const TEMPLATE = {
  Resources: {
    Plants: { Type: 'AWS::DynamoDB::GlobalTable' },
    Topic: { Type: 'AWS::SNS::Topic' },
    Role: { Type: 'AWS::IAM::Role' },
  },
};
const ANNA = findStage('dev-anna');
const JSON_TEXT = JSON.stringify(TEMPLATE);

/** Responses of CloudFormation with this template of the stage dev-anna. */
const deployed = (TemplateBody: string): Responses => ({
  ...stack('UPDATE_COMPLETE'),
  GetTemplate: ok({ TemplateBody }),
});

type Options = Parameters<typeof compareStage>;
const compare = async (stage: Options[0], accepted: Options[2], options?: Options[3]) =>
  compareStage(stage, await findStack(stage), accepted, options);

/** Without a repository, so that what is not committed here does not matter. */
const folder = temporaryFolder();

test("the deployed template again loses nothing, in YAML, as the CDK uploads it, and in the stage's own Region", async () => {
  await withAws(deployed(stringify(TEMPLATE)), async (calls) => {
    const stage = { ...ANNA, region: 'eu-west-3' };
    const compared = await compare(stage, {}, { folder, newTemplate: TEMPLATE });
    const lines = ['PlantStore-dev-anna: nothing would be lost (3 resources checked).'];
    expect(compared).toEqual({ lines, isRefused: false });
    // As it was sent, before a macro changed it.
    const input = { StackName: 'PlantStore-dev-anna', TemplateStage: 'Original' };
    const region = 'eu-west-3';
    expect(calls).toMatchObject([
      { operation: 'DescribeStacks', region },
      { operation: 'GetTemplate', input, region },
    ]);
  });
});

test('a folder without .git may have the deployed commit by the option, and is refused with another one', async () => {
  const [COMMIT, OTHER] = ['1'.repeat(40), '2'.repeat(40)];
  const Live = { Type: 'AWS::Lambda::Alias', Properties: { Description: `commit ${COMMIT}` } };
  const newTemplate = { Resources: { Live } };
  await withAws(deployed(JSON.stringify(newTemplate)), async () => {
    const said = (commit: string) => compare(ANNA, { commit }, { folder, newTemplate });
    expect(await said(COMMIT)).toMatchObject({ isRefused: false });
    const { isRefused, lines } = await said(OTHER);
    expect(isRefused).toBe(true);
    expect(lines[1]).toMatch(
      /^ {2}Live: commit 1{40} is deployed, .+; deploy from a clone with its history$/,
    );
  });
});

test.skipIf(!hasGit)('says if the deployed commit is older, and refuses an older working copy', async () => {
  const copy = temporaryFolder();
  writeFileSync(path.join(copy, 'package.json'), '{}');
  const first = commitAll(copy);
  git(copy, 'commit', '--quiet', '--allow-empty', '--message=another');
  const second = git(copy, 'rev-parse', 'HEAD');
  let entry = '';
  /** What the guard says of commits if the alias says this, and whether it refuses. */
  const said = async (Description: string, ...acceptedLosses: string[]) => {
    const Live = { Type: 'AWS::Lambda::Alias', Properties: { Description } };
    const newTemplate = { Resources: { Live } };
    const work = () => compare({ ...ANNA, acceptedLosses }, {}, { folder: copy, newTemplate });
    const { lines, isRefused } = await withAws(deployed(JSON.stringify(newTemplate)), work);
    [, entry = entry] = /'(Live .+)'/.exec(lines.join('\n')) ?? [];
    const notes = lines.filter((line) => /^ {2}|not committed/.test(line));
    return isRefused ? ['refused', ...notes] : notes;
  };
  expect(await said(`commit ${second}`)).toEqual([]);
  expect(await said('commit not known')).toEqual(['  Which commit is deployed is not known.']);
  expect(await said(`commit ${first}, modified`)).toEqual([
    `  The deployed commit ${first.slice(0, 7)} is older than this one by 1 commit, which this deployment brings.`,
    '  It was deployed with changes that were not committed, which this deployment undoes.',
  ]);
  git(copy, 'checkout', '--quiet', first);
  const older = 'this working copy is older than the deployed commit, by 1 commit: git merge';
  expect(await said(`commit ${second}`)).toEqual(['refused', `  Live: ${older} ${second}`]);
  const lacks = 'Live: the deployed commit is not in this working copy: git fetch';
  // The acceptance is a commit, too: the sentence is another one then, and the loss the same.
  git(copy, 'commit', '--quiet', '--allow-empty', '--message=accept it');
  expect(await said(`commit ${second}`, entry)).toEqual([
    `  ${lacks} origin ${second} && git merge ${second} (accepted)`,
  ]);
  git(copy, 'checkout', '--quiet', first);
  const unknown = 'f'.repeat(40);
  const other = `commit ${unknown}`;
  expect(await said(other, entry)).toEqual([
    'refused',
    `  ${lacks} origin ${unknown} && git merge ${unknown}`,
  ]);
  // As after `git clone --depth 1`.
  writeFileSync(path.join(copy, '.git/shallow'), `${first}\n`);
  expect(await said(other)).toEqual([
    'refused',
    `  ${lacks} --unshallow origin ${unknown} && git merge ${unknown}`,
  ]);
  writeFileSync(path.join(copy, 'new'), '');
  const modified = 'nothing would be lost (1 resources checked, with changes that are not committed).';
  expect(await said(`commit ${first}`)).toEqual([`PlantStore-dev-anna: ${modified}`]);
  // As where a container has no git.
  rmSync(path.join(copy, '.git'), { recursive: true });
  expect(await said(other)).toEqual(['refused', expect.stringContaining(' cannot be known: git says: ')]);
});

// With another name, a stack would be a new one, and the one with the data would be left behind.
test.each<[string, Responses]>([
  ['there is no stack of the name', { DescribeStacks: noStack(), GetAccount: ok({}) }],
  ['the stack was only previewed', { ...stack('REVIEW_IN_PROGRESS'), GetAccount: ok({}) }],
])('%s: refused, unless --first says so', async (_, responses) => {
  const compared = (first: boolean) => withAws(responses, () => compare(ANNA, { first }));
  const missing =
    'PlantStore-dev-anna: no such stack is deployed here. The wrong account or Region? npm run doctor shows both. If this is its first deployment, say so: --first';
  expect(await compared(false)).toEqual({ lines: [missing], isRefused: true });
  const toCome =
    'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing of its own to lose.';
  expect(await compared(true)).toEqual({ lines: [toCome], isRefused: false });
});

describe("the first deployment, and the role for the access logs of the Region's gateways", () => {
  const role = (name: string) => `arn:aws:iam::111122223333:role/${name}`;
  const CLOUD = 'OtherTeam-CloudWatchRole-1A2B3C';
  /** Compares the first deployment of dev-anna. @param name of the role that is set @param owner what CloudFormation says of its stack */
  const first = (
    name: string | undefined,
    owner: Responses = {},
    stage: object = {},
    accepted: object = {},
  ) =>
    withAws(
      { DescribeStacks: noStack(), GetAccount: ok(name ? { cloudwatchRoleArn: role(name) } : {}), ...owner },
      () => compare({ ...ANNA, ...stage }, { first: true, ...accepted }),
    );
  /** What CloudFormation says of the stack that has a role. */
  const ownedBy = (
    StackName: string,
    PhysicalResourceId: string,
    LogicalResourceId: string,
    tags: object,
  ): Responses => ({
    DescribeStackResources: ok({ StackResources: [{ StackName, PhysicalResourceId, LogicalResourceId }] }),
    DescribeStacks: (input) =>
      input.StackName === StackName
        ? ok({
            Stacks: [
              {
                StackName,
                StackStatus: 'CREATE_COMPLETE',
                Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
              },
            ],
          })
        : noStack(),
  });
  const refusedAs = (whose: string, digest: string) => ({
    lines: [
      'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing of its own to lose.',
      `  ApiAccount (AWS::ApiGateway::Account): the access logs of all APIs of this Region use the role ${role(CLOUD)}, ${whose}. This deployment sets ours in its place. Agree with its owners; to keep theirs: hasGatewayRole: true for the stage.`,
      `If it is intended, add to acceptedLosses of dev-anna in infra/stages.ts: 'ApiAccount changed ${digest}'; by hand: --allow ApiAccount`,
    ],
    isRefused: true,
  });
  const COPY = 'LighthouseStore-prod-ApiCloudWatchRole-1A2B3C';
  const tags = { service: 'lighthouse-store', stage: 'prod' };
  const ofCopy = ownedBy('LighthouseStore-prod', COPY, 'ApiCloudWatchRole', tags);

  test('is refused if it would replace the role of another team, whose stack it names', async () => {
    const owner = ownedBy('OtherTeam', CLOUD, 'CloudWatchRole', { service: 'other-team' });
    const { lines, isRefused } = await first(CLOUD, owner);
    const [, digest = ''] = /changed ([0-9a-f]{12})'/.exec(lines.join()) ?? [];
    expect({ lines, isRefused }).toEqual(refusedAs('of the stack OtherTeam', digest));
    expect(await first(CLOUD)).toEqual(refusedAs('of no stack that is found in this Region', digest));
    const entry = `ApiAccount changed ${digest}`;
    for (const [stage, accepted] of [
      [{ acceptedLosses: [entry] }, {}],
      [{}, { allow: 'ApiAccount' }],
      [{ hasGatewayRole: true }, {}],
    ])
      expect(await first(CLOUD, owner, stage, accepted)).toMatchObject({ isRefused: false });
    // That entry is of that role only.
    expect(await first('Another', owner, { acceptedLosses: [entry] })).toMatchObject({ isRefused: true });
  });

  test.each<[string, name: string | undefined, owner?: Responses]>([
    ['none is set', undefined],
    ['it is that of dev, or of a deleted stage', 'PlantStore-dev-ApiCloudWatchRole-1A2B3C'],
  ])('is not refused if %s', async (_, name, owner) => {
    const { lines, isRefused } = await first(name, owner);
    expect([lines.length, isRefused]).toEqual([1, false]);
  });

  test('is not refused, but named, if it is of a copy of this service', async () => {
    const named = (whose: string) => ({
      lines: [
        'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing of its own to lose.',
        `  ApiAccount (AWS::ApiGateway::Account): the access logs of all APIs of this Region use the role ${role(COPY)}, ${whose}. This deployment sets ours in its place. Agree with its owners; to keep theirs: hasGatewayRole: true for the stage.`,
      ],
      isRefused: false,
    });
    expect(await first(COPY, ofCopy)).toEqual(named('of the stack LighthouseStore-prod'));
    // Of a deleted stage.
    expect(await first(COPY)).toEqual(named('of no stack that is found in this Region'));
    expect((await first(COPY, ofCopy, { hasGatewayRole: true })).lines.length).toBe(1);
  });

  test.each<[string, name: string, owner?: Responses]>([
    [
      'a stack whose tags are of another name',
      COPY,
      ownedBy('LighthouseStore-prod', COPY, 'ApiCloudWatchRole', { ...tags, stage: 'dev' }),
    ],
    ['another role of a copy', COPY, ownedBy('LighthouseStore-prod', COPY, 'FunctionRole', tags)],
    ['a stack without tags', COPY, ownedBy('LighthouseStore-prod', COPY, 'ApiCloudWatchRole', {})],
    ['another role of this service', 'PlantStore-dev-FunctionRole-1A2B3C'],
    ['a stack that is gone, of the CDK alone', 'OtherTeam-prod-ApiCloudWatchRole73EC6FC4-1A2B3C'],
    ['a stack that is gone, of another form', 'OtherTeam-ApiCloudWatchRole-1A2B3C'],
  ])('is refused if it is of %s', async (_, name, owner) => {
    expect(await first(name, owner)).toMatchObject({ isRefused: true });
  });

  test('is refused if AWS does not say which role is set', async () => {
    const denied = first(CLOUD, { GetAccount: error('AccessDeniedException', 'no permission', 403) });
    await expect(denied).rejects.toThrow(
      "The role for the access logs of the Region's gateways cannot be looked up: AccessDeniedException: no permission",
    );
  });
});

test('the entries of acceptedLosses and the ids of --allow are accepted; an entry that matches nothing is named', async () => {
  const removed = (id: string, type: string) =>
    `${id} (AWS::${type}) would be removed from the stack and deleted.`;
  const plants = removed('Plants', 'DynamoDB::GlobalTable');
  // As before, but for the digest: the removal of something else.
  const OTHER = 'Role removed 0123456789ab';
  const stage = { ...PROD, name: 'one', acceptedLosses: ['Plants removed d28b14c32a7d', OTHER] };
  const newTemplate = { Resources: {} };
  const compared = (allow: string) =>
    withAws(deployed(JSON_TEXT), () => compare(stage, { allow }, { folder, newTemplate }));
  expect(await compared('Topic,Other')).toEqual({
    lines: [
      'PlantStore-one: the new template may lose something.',
      `  ${plants} (accepted)`,
      `  ${removed('Topic', 'SNS::Topic')} (accepted)`,
      `  ${removed('Role', 'IAM::Role')}`,
      "If it is intended, add to acceptedLosses of one in infra/stages.ts: 'Role removed cdbe8e457e74'; by hand: --allow Role",
      `Warning: nothing matches this entry in acceptedLosses; remove it: ${OTHER}`,
    ],
    isRefused: true,
  });
  expect(await compared('all')).toMatchObject({ isRefused: false });
});

const WRONG_ACCOUNT =
  'Stage dev belongs to account 444455556666, but the credentials are for account 111122223333.';
const NO_TEMPLATE = 'The deployed template of PlantStore-dev is not a CloudFormation template.';
test.each<[string, Responses, account?: string]>([
  [
    'The template of the stack PlantStore-dev cannot be read: AccessDenied: not authorized',
    { ...deployed(''), GetTemplate: error('AccessDenied', 'not authorized') },
  ],
  // In the wrong account there is no such stack, which is no proof that nothing would be lost.
  [
    WRONG_ACCOUNT,
    { DescribeStacks: noStack(), GetCallerIdentity: ok({ Account: '111122223333' }) },
    '444455556666',
  ],
  [WRONG_ACCOUNT, stack('UPDATE_COMPLETE', {}, '111122223333'), '444455556666'],
  [NO_TEMPLATE, deployed('a: [')],
  // Read without its tag, it would be a text, and equal to another one.
  [NO_TEMPLATE, deployed('Resources: {Plants: {Type: AWS::DynamoDB::Table, DependsOn: !Ref Name}}')],
])('templates that cannot be compared are reported: %s %#', async (message, responses, account) => {
  const stage = { ...PROD, name: 'dev', ...(account && { account }) };
  await expect(withAws(responses, () => compare(stage, {}))).rejects.toThrow(message);
});

test('a call that AWS does not respond ends after at most 20 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const GetTemplate = async () => {
    await vi.advanceTimersByTimeAsync(20_000);
    return new Promise<never>(() => undefined);
  };
  const responses = { ...deployed(''), GetTemplate };
  const compared = withAws(responses, () => compare(PROD, {}));
  await expect(compared).rejects.toThrow(
    /^The template of the stack PlantStore-prod cannot be read: TimeoutError: .+ ms/,
  );
});

test('npm run guard --stage synthesizes the project, and fails for a loss that is not accepted', async () => {
  const args = ['--stage', 'dev-anna', '--allow', 'Topic,Role'];
  const { code, out, err } = await runWithAws('guard', args, deployed(JSON_TEXT));
  expect(out).toMatch(/^ {2}Topic .+ would be removed .+ \(accepted\)$/m);
  expect(out).toMatch(/: --allow Parameters,Plants,AccessTokens,FunctionRole,.+\n$/);
  expect({ code, err }).toEqual({ code: 1, err: '' });
});
