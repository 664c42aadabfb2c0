import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { findStage } from '../../infra/find-stage.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { error, is, noStack, PROD, type Responses, withAws } from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { commitAll, git, hasGit } from '../../test/support/repository.ts';
import { runWithAws } from '../../test/support/run-command.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
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
const NOTHING = 'PlantStore-dev-anna: nothing would be lost (3 resources checked).';
const MISSING =
  'PlantStore-dev-anna: no such stack is deployed here. The wrong account or Region? npm run doctor shows both. If this is its first deployment, say so: --first';
const NOT_DEPLOYED = 'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing to lose.';

const denied = error('AccessDenied', 'not authorized');
/** The credentials are for this account, and the Region of the environment is eu-west-1. */
const ACCOUNT = '111122223333';
const CALLER: Responses = { GetCallerIdentity: is({ Account: ACCOUNT, Arn: 'arn:aws:iam::1:role/review' }) };
/** Responses of CloudFormation with this template of the stage dev-anna. */
const deployed = (TemplateBody: string): Responses => ({ GetTemplate: is({ TemplateBody }) });

/** Without a repository, so that what is not committed here does not matter. */
const FOLDER = { folder: temporaryFolder() };
const UNCHANGED = { ...FOLDER, newTemplate: TEMPLATE };

test("the deployed template again loses nothing, in YAML, as the CDK uploads it, and in the stage's own Region", async () => {
  await withAws(deployed(stringify(TEMPLATE)), async (calls) => {
    const stage = { ...ANNA, region: 'eu-west-3' };
    expect(await compareStage(stage, UNCHANGED)).toEqual({ lines: [NOTHING], isRefused: false });
    // As it was sent, before a macro changed it.
    const input = { StackName: 'PlantStore-dev-anna', TemplateStage: 'Original' };
    expect(calls).toMatchObject([{ operation: 'GetTemplate', input, region: 'eu-west-3' }]);
  });
});

test.skipIf(!hasGit)(
  'says which is newer, the deployed commit or the working copy, and refuses an older one',
  async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const first = commitAll(folder);
    git(folder, 'commit', '--quiet', '--allow-empty', '--message=another');
    const second = git(folder, 'rev-parse', 'HEAD');
    /** The lines but the last, which is advice, for what the alias says. */
    const linesFor = async (Description: string) => {
      const template = { Resources: { Live: { Type: 'AWS::Lambda::Alias', Properties: { Description } } } };
      const choices = { folder, newTemplate: template };
      const compared = await withAws(deployed(JSON.stringify(template)), () => compareStage(ANNA, choices));
      return compared.isRefused ? compared.lines.slice(0, -1) : compared.lines;
    };
    const lost = 'PlantStore-dev-anna: the new template may lose something.';
    const unchanged = 'PlantStore-dev-anna: nothing would be lost (1 resources checked).';
    expect(await linesFor(`commit ${second}`)).toEqual([unchanged]);
    expect(await linesFor('commit not known')).toEqual([
      unchanged,
      '  Which commit is deployed is not known.',
    ]);
    expect(await linesFor(`commit ${first}, modified`)).toEqual([
      unchanged,
      `  The deployed commit ${first.slice(0, 7)} is older than this one by 1 commit, which this deployment brings.`,
      '  It was deployed with changes that were not committed, which this deployment undoes.',
    ]);
    git(folder, 'checkout', '--quiet', first);
    const older = `this working copy is older than the deployed commit ${second}, by 1 commit: git pull first.`;
    expect(await linesFor(`commit ${second}`)).toEqual([lost, `  Live: ${older}`]);
    const other = 'f'.repeat(40);
    const lacks = 'which this working copy does not contain: git fetch first, and merge it.';
    expect(await linesFor(`commit ${other}`)).toEqual([
      lost,
      `  Live: commit ${other} is deployed, ${lacks}`,
    ]);
    writeFileSync(path.join(folder, 'new'), '');
    expect((await linesFor(`commit ${first}`))[0]).toContain('with changes that are not committed');
    // As where a container has no git.
    rmSync(path.join(folder, '.git'), { recursive: true });
    expect(await linesFor(`commit ${first}`)).toEqual([
      lost,
      expect.stringContaining(' cannot be known: git says: '),
    ]);
  },
);

// With another name, a stack would be a new one, and the one with the data would be left behind.
test.each<[string, Responses]>([
  ['there is no stack of the name', { GetTemplate: noStack() }],
  ['the stack was only previewed', deployed('')],
])('%s: refused, unless --first says so', async (_, responses) => {
  const compared = (isFirst: boolean) => withAws(responses, () => compareStage(ANNA, { isFirst }));
  expect(await compared(false)).toEqual({ lines: [MISSING], isRefused: true });
  expect(await compared(true)).toEqual({ lines: [NOT_DEPLOYED], isRefused: false });
});

test('the lines of acceptedLosses and the ids of --allow are accepted; an entry that matches nothing is named', async () => {
  const removed = (id: string, type: string) =>
    `${id} (AWS::${type}) would be removed from the stack and deleted.`;
  const plants = removed('Plants', 'DynamoDB::GlobalTable');
  const stage = { ...PROD, name: 'one', acceptedLosses: [plants, 'Role'] };
  const compared = (allowed: string[]) => {
    const choices = { ...FOLDER, newTemplate: { Resources: {} }, allowed };
    return withAws(deployed(JSON_TEXT), () => compareStage(stage, choices));
  };
  expect(await compared(['Topic', 'Other'])).toEqual({
    lines: [
      'PlantStore-one: the new template may lose something.',
      `  ${plants} (accepted)`,
      `  ${removed('Topic', 'SNS::Topic')} (accepted)`,
      `  ${removed('Role', 'IAM::Role')}`,
      expect.stringMatching(/: --allow Role$/),
      'Warning: nothing matches this entry in acceptedLosses; remove it: Role',
    ],
    isRefused: true,
  });
  expect(await compared(['all'])).toMatchObject({ isRefused: false });
});

const OTHERS = 'Stage dev belongs to account 444455556666, but the credentials are for account 111122223333.';
const unread = 'The template of the stack PlantStore-dev cannot be read:';
test.each<[string, Responses, stage?: Partial<Stage>]>([
  [`${unread} AccessDenied: not authorized`, { GetTemplate: denied }],
  // In the wrong account there is no such stack, which is no proof that nothing would be lost.
  [OTHERS, { ...CALLER, GetTemplate: noStack() }, { account: '444455556666' }],
  ...[
    'a: [',
    // Read without its tag, it would be a text, and equal to another one.
    'Resources: {Plants: {Type: AWS::DynamoDB::Table, Properties: {TableName: !Ref Name}}}',
  ].map((text): [string, Responses] => [
    'The deployed template of PlantStore-dev is not a CloudFormation template.',
    deployed(text),
  ]),
])('templates that cannot be compared are reported: %s %#', async (message, responses, settings = {}) => {
  const compared = withAws(responses, () => compareStage({ ...PROD, name: 'dev', ...settings }, {}));
  await expect(compared).rejects.toThrow(message);
});

test('a call that AWS does not respond ends after at most 20 s', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined));
  const endpoint = { AWS_ENDPOINT_URL: await listen(silent) };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const compared = withAws({}, () => compareStage(findStage('dev'), {}), endpoint).catch(
    (error: Error) => error.message,
  );
  const [socket] = await once(silent, 'connection');
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  // Ends the call if it has no time limit.
  socket.destroy();
  expect(await compared).toMatch(
    /^The template of the stack PlantStore-dev cannot be read: TimeoutError: .+ ms/,
  );
  silent.close();
});

test('npm run guard --stage synthesizes the project, and fails for a loss that is not accepted', async () => {
  const args = ['--stage', 'dev-anna', '--allow', 'Topic,Role'];
  const { code, out, err } = await runWithAws('guard', args, deployed(JSON_TEXT));
  expect(out).toMatch(/^ {2}Topic .+ would be removed .+ \(accepted\)$/m);
  expect(out).toMatch(/: --allow Parameters,Plants,AccessTokens,FunctionRole,.+\n$/);
  expect({ code, err }).toEqual({ code: 1, err: '' });
});
