import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { findStage } from '../../../infra/stages.ts';
import { type Choices, checkStage } from '../../../tools/guard/check-stage.ts';
import { deployedStages } from '../../../tools/guard/templates.ts';
import { copyOf } from '../../infra/synth.ts';
import { type Answers, error, startAws, withAws } from '../../support/aws-stand-in.ts';
import { temporaryFolder } from '../../support/local-process.ts';
import { runTool } from '../run-tool.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { template } = copyOf(findStage('dev-anna'));
const NOTHING = 'PlantStore-dev-anna: nothing would be lost (8 resources checked).';
const NOT_DEPLOYED = 'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing to lose.';

/** A CloudFormation with this template of the stage dev-anna. */
const deployed = (TemplateBody: string): Answers => ({ GetTemplate: { is: { TemplateBody } } });
const denied = error('AccessDenied', 'not authorized');

/** A folder as cdk synth writes it, with a template of the stage dev-anna. */
async function synthesised(content: object | string): Promise<{ app: string; file: string }> {
  const app = temporaryFolder();
  const file = path.join(app, 'PlantStore-dev-anna.template.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { app, file };
}

/** What the guard prints for a stage. @param choices by default, the new template is that of dev-anna */
const lines = async (answers: Answers, stage = 'dev-anna', choices: Choices = {}) => {
  const { app } = await synthesised(template);
  const found = await withAws(answers, () => checkStage(stage, { app, ...choices }));
  return found.lines;
};

test.each([
  ['the deployed template again, in JSON', deployed(JSON.stringify(template)), NOTHING],
  ['the deployed template again, in YAML, as the CDK uploads it', deployed(stringify(template)), NOTHING],
  [
    'a first deployment',
    { GetTemplate: error('ValidationError', 'Stack with id PlantStore-dev-anna does not exist') },
    NOT_DEPLOYED,
  ],
  ['a first deployment that was only previewed', deployed(''), NOT_DEPLOYED],
])('%s loses nothing', async (_, answers, line) => expect(await lines(answers)).toEqual([line]));

test('a stage without an entry loses all its resources', async () => {
  const { file } = await synthesised(template);
  const [first, second, ...others] = await lines({}, 'gone', { template: file });
  expect(first).toBe(
    'PlantStore-gone: infra/stages.ts has no stage gone any more, so its resources would be lost.',
  );
  expect(second).toBe('  The table PlantsF7D2F15D would be removed from the stack and deleted.');
  expect(others).toHaveLength(8);
  expect(others.at(-1)).toMatch(/--allow PlantsF7D2F15D,AccessTokensB65260D5,.*AlarmTopicD01E77F9$/);
});

test.each([
  [undefined, ['PlantsF7D2F15D', 'AlarmTopicD01E77F9']],
  [['Other', 'PlantsF7D2F15D'], ['AlarmTopicD01E77F9']],
  [['all'], []],
])('accepted losses: %j', async (allowed, refused) => {
  const { PlantsF7D2F15D: _, AlarmTopicD01E77F9: __, ...Resources } = template.Resources;
  const [before, { app }] = [await synthesised(template), await synthesised({ Resources })];
  const found = await checkStage('dev-anna', { app, template: before.file, allowed });
  const accepted = (id: string) => (refused.includes(id) ? '' : ' (accepted)');
  expect(found).toEqual({
    refused,
    lines: [
      'PlantStore-dev-anna: the new template would lose something.',
      `  The table PlantsF7D2F15D would be removed from the stack and deleted.${accepted('PlantsF7D2F15D')}`,
      `  The topic AlarmTopicD01E77F9 would be removed from the stack and deleted.${accepted('AlarmTopicD01E77F9')}`,
      ...(refused.length > 0 ? [`If it is intended, accept it: --allow ${refused.join(',')}`] : []),
    ],
  });
});

test('the loss of a resource whose id every JavaScript object has', async () => {
  const table = { Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'Retain' };
  const before = await synthesised({ Resources: { constructor: table } });
  const { app } = await synthesised({ Resources: { Other: { Type: 'constructor' } } });
  expect(await lines({}, 'dev-anna', { app, template: before.file })).toContain(
    '  The table constructor would be removed from the stack and left behind, unused.',
  );
});

test('the deployed stages are found by the names of their stacks', async () => {
  const stack = (StackName: string, StackStatus = 'CREATE_COMPLETE') => ({ StackName, StackStatus });
  const pages = [
    [stack('PlantStore-gone'), stack('PlantStore-deleted', 'DELETE_COMPLETE'), stack('SomebodyElses')],
    [stack('PlantStore-pipeline'), stack('PlantStore-dev-anna', 'UPDATE_ROLLBACK_COMPLETE')],
  ];
  const ListStacks: Answers[string] = ({ NextToken }) =>
    NextToken
      ? { is: { StackSummaries: pages[1] } }
      : { is: { StackSummaries: pages[0], NextToken: 'more' } };
  expect(await withAws({ ListStacks }, deployedStages)).toEqual(['gone', 'dev-anna']);
  await expect(withAws({ ListStacks: denied }, deployedStages)).rejects.toThrow(
    'The stacks cannot be listed: AccessDenied: not authorized',
  );
});

const missing = path.join(temporaryFolder(), 'missing.json');
const invalid = error('ValidationError', '1 validation error detected');
test.each<[string, Answers, string, Choices]>([
  [
    'Unknown stage "prdo"; choose one of: ',
    { GetTemplate: error('ValidationError', 'does not exist') },
    'prdo',
    {},
  ],
  [
    'The template of the stack PlantStore-dev cannot be read: AccessDenied: not',
    { GetTemplate: denied },
    'dev',
    {},
  ],
  [
    'The template of the stack PlantStore-dev cannot be read: ValidationError: 1',
    { GetTemplate: invalid },
    'dev',
    {},
  ],
  ['The deployed template of PlantStore-dev is not a CloudFormation', deployed('AWS'), 'dev', {}],
  ['missing.json cannot be read (ENOENT).', {}, 'dev', { template: missing }],
  ['PlantStore-dev.template.json cannot be read (ENOENT).', deployed(JSON.stringify(template)), 'dev', {}],
])('no comparison: %s', async (message, answers, stage, choices) => {
  await expect(lines(answers, stage, choices)).rejects.toThrow(message);
});

test.each(['# text', 'a: [', '{"Resources":{"Plants":null}}', '{"Resources":{"Plants":{}}}'])(
  'not a template: %s',
  async (text) => {
    const { file } = await synthesised(text);
    const compared = checkStage('dev-anna', { template: file });
    await expect(compared).rejects.toThrow(`${file} is not a CloudFormation template.`);
  },
);

test('an AWS that accepts connections and does not answer is given up after 20 s at most', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const endpoint = { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
  const compared = withAws({}, () => checkStage('dev', {}), endpoint).catch((error: Error) => error.message);
  await once(silent, 'connection');
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  expect(await compared).toMatch(/^The template of the stack PlantStore-dev cannot be read: TimeoutError: /);
  silent.close();
});

/** A copy of the project, in which a developer has changed files of infra/. @returns its folder */
async function changedProject(changes: readonly [file: string, from: string, to: string][]): Promise<string> {
  const folder = temporaryFolder();
  for (const part of ['infra', 'lambda', 'local', 'tools', 'package.json', 'cdk.json'])
    await cp(path.join(ROOT, part), path.join(folder, part), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  for (const [name, from, to] of changes) {
    const changed = path.join(folder, 'infra', name);
    const text = await readFile(changed, 'utf8');
    expect(text).toContain(from);
    await writeFile(changed, text.replace(from, to));
  }
  return folder;
}

test('npm run guard synthesises the project as it is now, looks in the Region of the stage, and fails', async () => {
  const project = await changedProject([
    ['tables.ts', "makeTable(scope, 'Plants'", "makeTable(scope, 'Herbs'"],
    ['stages.ts', 'isTemplate: true,', "isTemplate: true, region: 'eu-west-3',"],
  ]);
  const aws = await startAws(deployed(JSON.stringify(template)));
  const env = { ...process.env, ...aws.env, CDK_DEFAULT_ACCOUNT: '999999999999' };
  const args = ['tools/guard.ts', '--stage', 'dev-anna'];
  const ended = await promisify(execFile)(process.execPath, args, { cwd: project, env }).catch(
    (each) => each,
  );
  aws.close();
  expect(ended.stdout).toMatch(
    /The table PlantsF7D2F15D would .+; new is Herbs[0-9A-F]{8} \(was the id of a construct changed\?\)\.\n/,
  );
  expect(ended).toMatchObject({ code: 1, stderr: '' });
  expect(aws.calls.map(({ region }) => region)).toEqual(['eu-west-3']);
});

test('npm run guard checks every stage of the stage file, and every deployed one', async () => {
  const { app } = await synthesised(template);
  const aws = await startAws({
    ListStacks: {
      is: { StackSummaries: [{ StackName: 'PlantStore-dev-anna', StackStatus: 'CREATE_COMPLETE' }] },
    },
    GetTemplate: ({ StackName }) =>
      StackName === 'PlantStore-dev-anna'
        ? { is: { TemplateBody: JSON.stringify(template) } }
        : error('ValidationError', `Stack with id ${StackName} does not exist`),
  });
  const { code, out, err } = await runTool('guard', ['--app', app, '--allow', 'Any'], { env: aws.env });
  aws.close();
  expect(out).toContain('PlantStore-prod: no such stack is deployed yet, so there is nothing to lose.\n');
  expect(out).toContain(`${NOTHING}\n`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('npm run guard with --template and without --stage: invalid command, exit code 2', async () => {
  const err = '--template needs --stage.\n';
  expect(await runTool('guard', ['--template', 'old.json'])).toMatchObject({ code: 2, out: '', err });
});
