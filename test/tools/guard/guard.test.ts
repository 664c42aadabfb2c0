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
import { type Answers, error, is, startAws, withAws } from '../../support/aws-stand-in.ts';
import { temporaryFolder } from '../../support/local-process.ts';
import { runTool } from '../run-tool.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TEMPLATE = {
  Resources: {
    PlantsF7D2F15D: { Type: 'AWS::DynamoDB::GlobalTable' },
    Topic: { Type: 'AWS::SNS::Topic' },
    Role: { Type: 'AWS::IAM::Role' },
  },
};
const JSON_TEXT = JSON.stringify(TEMPLATE);
const NOTHING = 'PlantStore-dev-anna: nothing would be lost (2 resources checked).';
const NOT_DEPLOYED = 'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing to lose.';

const denied = error('AccessDenied', 'not authorized');
const missing = error('ValidationError', 'Stack with id PlantStore-dev-anna does not exist');
/** Answers of CloudFormation with this template of the stage dev-anna. */
const deployed = (TemplateBody: string): Answers => ({ GetTemplate: is({ TemplateBody }) });

/** A folder as cdk synth writes it, with a template of the stage dev-anna. @returns the folder and the file */
async function synthesised(text = JSON_TEXT): Promise<{ app: string; template: string }> {
  const app = temporaryFolder();
  const template = path.join(app, 'PlantStore-dev-anna.template.json');
  await writeFile(template, text);
  return { app, template };
}

test.each<[string, Answers, string]>([
  ['the deployed template again, in JSON', deployed(JSON_TEXT), NOTHING],
  ['the deployed template again, in YAML, as the CDK uploads it', deployed(stringify(TEMPLATE)), NOTHING],
  ['a first deployment', { GetTemplate: missing }, NOT_DEPLOYED],
  ['a first deployment that was only previewed', deployed(''), NOT_DEPLOYED],
])('%s loses nothing', async (_, answers, line) => {
  const { app } = await synthesised();
  expect(await withAws(answers, () => compareStage('dev-anna', { app }))).toEqual({
    name: 'dev-anna',
    lines: [line],
    refused: [],
    unmatched: [],
  });
});

test.each([
  [undefined, ['PlantsF7D2F15D', 'Topic'], ['', '']],
  [['Other', 'PlantsF7D2F15D'], ['Topic'], [' (accepted)', '']],
  [['all'], [], [' (accepted)', ' (accepted)']],
])('a stage without an entry loses all its resources; accepted: %j', async (allowed, refused, remarks) => {
  const { template } = await synthesised();
  expect(await compareStage('gone', { template, allowed })).toEqual({
    name: 'gone',
    lines: [
      'PlantStore-gone: infra/stages.ts has no stage gone here any more, so its resources would be lost.',
      `  The table PlantsF7D2F15D would be removed from the stack and deleted.${remarks[0]}`,
      `  The topic Topic would be removed from the stack and deleted.${remarks[1]}`,
      ...(refused.length > 0
        ? [
            `If it is intended, delete PlantStore-gone before its entry in infra/stages.ts; by hand: --allow ${refused}`,
          ]
        : []),
    ],
    refused,
    unmatched: [],
  });
});

test('a resource with the id "constructor", which every JavaScript object has, can be lost', async () => {
  const { template } = await synthesised(
    '{"Resources":{"constructor":{"Type":"AWS::DynamoDB::GlobalTable"}}}',
  );
  const { app } = await synthesised('{"Resources":{"Other":{"Type":"constructor"}}}');
  const { lines } = await compareStage('dev-anna', { app, template });
  expect(lines[1]).toBe('  The table constructor would be removed from the stack and deleted.');
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

const unread = 'The template of the stack PlantStore-dev cannot be read:';
const invalid = error('ValidationError', '1 validation error detected');
test.each<[string, Answers, string, Choices]>([
  ['Unknown stage "prdo"; choose one of: ', { GetTemplate: missing }, 'prdo', {}],
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
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const endpoint = { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
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

/** Runs `npm run guard` in a copy of the project with changed files of infra/, against a stand-in for AWS. */
async function runChanged(
  changes: readonly [name: string, from: string, to: string][],
  args: string[],
  answers: Answers,
) {
  const project = temporaryFolder();
  for (const part of ['infra', 'lambda', 'local', 'tools', 'terminal', 'package.json', 'cdk.json'])
    await cp(path.join(ROOT, part), path.join(project, part), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'));
  for (const [name, from, to] of changes) {
    const changed = path.join(project, 'infra', name);
    const text = await readFile(changed, 'utf8');
    expect(text).toContain(from);
    await writeFile(
      changed,
      text.replace(from, () => to),
    );
  }
  const aws = await startAws(answers);
  const env = { ...process.env, ...aws.env, CDK_DEFAULT_ACCOUNT: '999999999999' };
  const ended = await promisify(execFile)(process.execPath, ['tools/guard.ts', ...args], {
    cwd: project,
    env,
  }).then(
    (each) => ({ ...each, code: 0 }),
    (each) => each as { code: number; stdout: string; stderr: string },
  );
  aws.close();
  return { ...ended, aws };
}

test('npm run guard synthesises the project as it is now, uses the Region of the stage, and fails for a loss', async () => {
  const { aws, ...ended } = await runChanged(
    [
      ['tables.ts', "makeTable(scope, 'Plants'", "makeTable(scope, 'Herbs'"],
      ['stages.ts', 'isTemplate: true,', "isTemplate: true, region: 'eu-west-3',"],
    ],
    ['--stage', 'dev-anna', '--allow', 'Topic'],
    deployed(JSON_TEXT),
  );
  expect(
    ended.stdout.replace(/Herbs\w{8}/, 'Herbs'),
  ).toMatch(`PlantStore-dev-anna: the new template may lose something.
  The table PlantsF7D2F15D would be removed from the stack and deleted; new: Herbs`);
  expect(ended).toMatchObject({ code: 1, stderr: '' });
  expect(aws.calls.map(({ region }) => region)).toEqual(['eu-west-3']);
});

test('a line of the stage file accepts the loss; one that matches nothing warns in a deployment and fails a review', async () => {
  const app = temporaryFolder();
  for (const stage of ['dev', 'prod'])
    await writeFile(path.join(app, `PlantStore-${stage}.template.json`), '{"Resources":{}}');
  const topic = 'The topic Topic would be removed from the stack and deleted.';
  const left = 'The topic Topic would be deleted.';
  const accepting = (...lines: string[]): [string, string, string] => [
    'stages.ts',
    'canaryMinutes: 10,',
    `canaryMinutes: 10, acceptedLosses: ${JSON.stringify(lines)},`,
  ];
  const before = JSON.stringify({ Resources: { Topic: { Type: 'AWS::SNS::Topic' } } });
  const GetTemplate: Answers[string] = ({ StackName }) =>
    is({ TemplateBody: StackName === 'PlantStore-prod' ? before : '{"Resources":{}}' });
  const StackSummaries = ['dev', 'prod'].map((stage) => ({
    StackName: `PlantStore-${stage}`,
    StackStatus: 'CREATE_COMPLETE',
  }));
  const GetCallerIdentity = is({ Account: '111122223333', Arn: 'arn:aws:me' });
  const answers = { GetTemplate, GetCallerIdentity, ListStacks: is({ StackSummaries }) };
  const remove = `Nothing matches this entry in acceptedLosses of prod; remove it: ${left}\n`;
  const accepted = `PlantStore-prod: the new template may lose something.\n  ${topic} (accepted)\n`;

  expect(
    await runChanged([accepting(topic, left)], ['--stage', 'prod', '--app', app], answers),
  ).toMatchObject({
    code: 0,
    stdout: `${accepted}Warning: ${remove}`,
    stderr: '',
  });
  const dev = 'PlantStore-dev: nothing would be lost (0 resources checked).\n';
  expect(await runChanged([accepting(topic, left)], ['--app', app], answers)).toMatchObject({
    code: 1,
    stdout: `${dev}${accepted}${remove}`,
  });
  expect(await runChanged([accepting(topic)], ['--app', app], answers)).toMatchObject({
    code: 0,
    stdout: `${dev}${accepted}`,
  });
});

test('npm run guard prints why the project cannot be synthesised', async () => {
  const broken: [string, string, string] = ['tables.ts', "makeTable(scope, 'Plants'", "fail('no tables'"];
  const { code, stderr } = await runChanged([broken], ['--stage', 'dev-anna'], deployed(JSON_TEXT));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The CDK app failed: (.|\n)*ReferenceError: fail is not defined/);
});

test('npm run guard without a stage compares all of them, and fails for a loss', async () => {
  const aws = await startAws({
    GetCallerIdentity: is({ Account: '111122223333', Arn: 'arn:aws:me' }),
    ListStacks: is({ StackSummaries: [{ StackName: 'PlantStore-gone', StackStatus: 'CREATE_COMPLETE' }] }),
    ...deployed(JSON_TEXT),
  });
  const { code, out, err } = await runTool('guard', [], { env: aws.env });
  aws.close();
  expect(out).toContain('PlantStore-prod: no such stack is deployed yet, so there is nothing to lose.\n');
  expect(out).toContain('PlantStore-gone: infra/stages.ts has no stage gone here any more');
  expect({ code, err }).toEqual({ code: 1, err: '' });
});

test('npm run guard with --template and without --stage ends with exit code 2', async () => {
  const err = '--template needs --stage.\n';
  expect(await runTool('guard', ['--template', 'old.json'])).toMatchObject({ code: 2, out: '', err });
});
