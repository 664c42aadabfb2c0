import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { type Choices, compareStage } from '../../../tools/guard/compare-stage.ts';
import { deployedStages } from '../../../tools/guard/templates.ts';
import { type Answers, error, is, noStack, PROD, startAws, withAws } from '../../support/aws-stand-in.ts';
import { listen } from '../../support/listen.ts';
import { temporaryFolder } from '../../support/local-process.ts';
import { runTool, runWithAws } from '../run-tool.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TEMPLATE = {
  Resources: {
    PlantsF7D2F15D: { Type: 'AWS::DynamoDB::GlobalTable' },
    Topic: { Type: 'AWS::SNS::Topic' },
    Role: { Type: 'AWS::IAM::Role' },
  },
};
const { name: _, ...SETTINGS } = PROD;
const JSON_TEXT = JSON.stringify(TEMPLATE);
const NOTHING = 'PlantStore-dev-anna: nothing would be lost (2 resources checked).';
const NOT_DEPLOYED = 'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing to lose.';

const denied = error('AccessDenied', 'not authorized');
/** Answers of CloudFormation with this template of the stage dev-anna. */
const deployed = (TemplateBody: string): Answers => ({ GetTemplate: is({ TemplateBody }) });

/** A folder as cdk synth writes it, with a template of a stage. @returns the folder and the file */
async function synthesised(text = JSON_TEXT, stage = 'dev-anna'): Promise<{ app: string; template: string }> {
  const app = temporaryFolder();
  const template = path.join(app, `PlantStore-${stage}.template.json`);
  await writeFile(template, text);
  return { app, template };
}

test.each<[string, Answers, string]>([
  ['the deployed template again, in JSON', deployed(JSON_TEXT), NOTHING],
  ['the deployed template again, in YAML, as the CDK uploads it', deployed(stringify(TEMPLATE)), NOTHING],
  ['a first deployment', { GetTemplate: noStack() }, NOT_DEPLOYED],
  ['a first deployment that was only previewed', deployed(''), NOT_DEPLOYED],
])('%s loses nothing', async (_, answers, line) => {
  const { app } = await synthesised();
  expect(await withAws(answers, () => compareStage('dev-anna', { app }))).toEqual({
    lines: [line],
    isRefused: false,
  });
});

test('a stage without an entry loses all its resources; one is accepted by hand', async () => {
  const { template } = await synthesised();
  expect(await compareStage('gone', { template, allowed: ['Other', 'Topic'] })).toEqual({
    lines: [
      'PlantStore-gone: infra/stages.ts has no stage gone here any more, so its resources would be lost.',
      '  The table PlantsF7D2F15D would be removed from the stack and deleted.',
      '  The topic Topic would be removed from the stack and deleted. (accepted)',
      'If it is intended, delete PlantStore-gone before its entry in infra/stages.ts; by hand: --allow PlantsF7D2F15D',
    ],
    isRefused: true,
  });
});

test('the deployed stages are found by the names of their stacks', async () => {
  const stack = (StackName: string, StackStatus = 'CREATE_COMPLETE') => ({ StackName, StackStatus });
  const first = [
    stack('PlantStore-gone'),
    stack('PlantStore-old', 'DELETE_COMPLETE'),
    stack('SomebodyElses'),
  ];
  const second = [stack('PlantStore-pipeline'), stack('PlantStore-dev-anna', 'UPDATE_ROLLBACK_COMPLETE')];
  const ListStacks: Answers[string] = ({ NextToken }) =>
    is(NextToken ? { StackSummaries: second } : { StackSummaries: first, NextToken: 'more' });
  expect(await withAws({ ListStacks }, deployedStages)).toEqual(['gone', 'dev-anna']);
  await expect(withAws({ ListStacks: denied }, deployedStages)).rejects.toThrow(
    'The stacks cannot be listed: AccessDenied: not authorized',
  );
});

test('the deployed template is asked for as it was sent, before a macro changed it', async () => {
  const { app } = await synthesised();
  const inputs = await withAws(deployed(JSON_TEXT), async (calls) => {
    await compareStage('dev-anna', { app });
    return calls.map(({ input }) => input);
  });
  expect(inputs).toMatchObject([{ StackName: 'PlantStore-dev-anna', TemplateStage: 'Original' }]);
});

test('a line of the stage file accepts the loss; one that matches nothing is a warning', async () => {
  const topic = 'The topic Topic would be removed from the stack and deleted.';
  const stages = { one: { ...SETTINGS, acceptedLosses: [topic, 'The topic Topic…'] } };
  const { app } = await synthesised('{"Resources":{}}', 'one');
  const { template } = await synthesised('{"Resources":{"Topic":{"Type":"AWS::SNS::Topic"}}}');
  expect(await compareStage('one', { app, template }, stages)).toEqual({
    lines: [
      'PlantStore-one: the new template may lose something.',
      `  ${topic} (accepted)`,
      'Warning: Nothing matches this entry in acceptedLosses of one; remove it: The topic Topic…',
    ],
    isRefused: false,
  });
});

const unread = 'The template of the stack PlantStore-dev cannot be read:';
const invalid = error('ValidationError', '1 validation error detected');
test.each<[string, Answers, string, Choices]>([
  ['Unknown stage "prdo"; choose one of: ', { GetTemplate: noStack() }, 'prdo', {}],
  [`${unread} AccessDenied: not authorized`, { GetTemplate: denied }, 'dev', {}],
  [`${unread} ValidationError: 1 validation error`, { GetTemplate: invalid }, 'dev', {}],
  ['The deployed template of PlantStore-dev is not a CloudFormation', deployed('AWS'), 'dev', {}],
  ['old.json cannot be read (ENOENT).', {}, 'dev', { template: 'old.json' }],
  ['PlantStore-dev.template.json cannot be read (ENOENT).', deployed(JSON_TEXT), 'dev', { app: 'docs' }],
])('templates that cannot be compared are reported: %s', async (message, answers, stage, choices) => {
  await expect(withAws(answers, () => compareStage(stage, choices))).rejects.toThrow(message);
});

test.each([
  '# text',
  'a: [',
  '[]',
  'Resources: {}\nResources: {}',
  '{"Resources":{"Plants":null}}',
  '{"Resources":{"Plants":{}}}',
  // Read without its tag, it would be a text, and equal to another one.
  'Resources: {Plants: {Type: AWS::DynamoDB::Table, Properties: {TableName: !Ref Name}}}',
])('a file that is not a template is refused: %s', async (text) => {
  const { template } = await synthesised(text);
  const message = `${template} is not a CloudFormation template.`;
  await expect(compareStage('dev-anna', { template })).rejects.toThrow(message);
});

test('a call that AWS does not answer ends after at most 20 s', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined));
  const endpoint = { AWS_ENDPOINT_URL: await listen(silent) };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const compared = withAws({}, () => compareStage('dev', {}), endpoint).catch(
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

test('npm run guard synthesises the project as it is now, uses the Region of the stage, and fails for a loss', async () => {
  const project = temporaryFolder();
  for (const part of ['infra', 'lambda', 'local', 'tools', 'terminal', 'package.json', 'cdk.json'])
    await cp(path.join(ROOT, part), path.join(project, part), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'));
  for (const [name, from, to] of [
    ['tables.ts', "makeTable(scope, 'Plants'", "makeTable(scope, 'Herbs'"],
    ['stages.ts', 'isTemplate: true,', "isTemplate: true, region: 'eu-west-3',"],
    // The CDK's own rules have another test, and take four seconds.
    ['app.ts', 'new App()', 'new App({ builtinCloudFormationValidation: false })'],
  ] as const) {
    const file = path.join(project, 'infra', name);
    const text = await readFile(file, 'utf8');
    expect(text).toContain(from);
    await writeFile(file, text.replace(from, to));
  }
  const aws = await startAws(deployed(JSON_TEXT));
  // The credentials may be for another account and Region.
  const env = { ...process.env, ...aws.env, CDK_DEFAULT_ACCOUNT: '999999999999' };
  const command = ['tools/guard.ts', '--stage', 'dev-anna', '--allow', 'Topic'];
  const printed = [
    'PlantStore-dev-anna: the new template may lose something.',
    '  The table PlantsF7D2F15D would be removed from the stack and deleted; new: Herbs\\w{8}, .+',
    '  The topic Topic would be removed .+ \\(accepted\\)',
    '(.+\n)*If it is intended, add the lines to acceptedLosses of dev-anna in .+: --allow PlantsF7D2F15D,.+\n$',
  ];
  await expect(promisify(execFile)(process.execPath, command, { cwd: project, env })).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(printed.join('\n')),
    stderr: '',
  });
  aws.close();
  expect(aws.calls.map(({ region }) => region)).toEqual(['eu-west-3']);
});

test('why the project cannot be synthesised is said', async () => {
  // The project's own stage file does not have this stage.
  const comparison = withAws(deployed(JSON_TEXT), () => compareStage('one', {}, { one: SETTINGS }));
  await expect(comparison).rejects.toThrow('The CDK app failed: Unknown stage "one"; choose one of: ');
});

test('npm run guard without a stage compares all of them', async () => {
  const { app } = await synthesised(JSON_TEXT, 'dev');
  const { code, out, err } = await runWithAws('guard', ['--app', app], {
    GetCallerIdentity: is({ Account: '111122223333', Arn: 'arn:aws:me' }),
    ListStacks: is({ StackSummaries: [{ StackName: 'PlantStore-dev', StackStatus: 'CREATE_COMPLETE' }] }),
    ...deployed(JSON_TEXT),
  });
  // The stage file may have more stages.
  expect(out.split('\n')).toEqual(
    expect.arrayContaining([NOTHING.replace('dev-anna', 'dev'), NOT_DEPLOYED.replace('dev-anna', 'prod')]),
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('npm run guard with --template and without --stage ends with exit code 2', async () => {
  const err = '--template needs --stage.\n';
  expect(await runTool('guard', ['--template', 'old.json'])).toMatchObject({ code: 2, out: '', err });
});
