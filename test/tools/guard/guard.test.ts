import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { findStage } from '../../../infra/stages.ts';
import { copyOf } from '../../infra/synth.ts';
import { temporaryFolder } from '../../support/local-process.ts';
import { withUsualLimits } from '../../support/temporary-root.ts';
import { type DeployedStack, startCloudFormation } from '../cloudformation-stand-in.ts';
import { runTool } from '../run-tool.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const { template } = copyOf(findStage('dev-anna'));
const DEPLOYED: DeployedStack = {
  template: JSON.stringify(template),
};

/** Runs `npm run guard` over a CloudFormation with these stacks. */
async function guard(stacks: Record<string, DeployedStack>, ...words: string[]) {
  const cloudFormation = await startCloudFormation(stacks);
  const { code, out, err } = await runTool('guard', words, { env: cloudFormation.env });
  cloudFormation.close();
  return { code, text: out + err };
}

/** A folder as cdk synth writes it, with a template of the stage dev-anna. */
async function synthesised(content: object): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(path.join(folder, 'PlantStore-dev-anna.template.json'), JSON.stringify(content));
  return folder;
}

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

describe('npm run guard -- --stage', () => {
  test.each([
    ['JSON', JSON.stringify],
    ['YAML, as the CDK uploads it', stringify],
  ])('deploying the same again loses nothing; the deployed template is %s', async (_, write) => {
    const stacks = { 'PlantStore-dev-anna': { template: write(template) } };
    expect(await guard(stacks, '--stage', 'dev-anna', '--app', await synthesised(template))).toEqual({
      code: 0,
      text: 'PlantStore-dev-anna: nothing would be lost (8 resources checked).\n',
    });
  });

  test('a first deployment has nothing to lose', async () => {
    expect(await guard({}, '--stage', 'dev-anna')).toEqual({
      code: 0,
      text: 'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing to lose.\n',
    });
  });

  test('a deployment that was only previewed has made a stack without a template, and nothing to lose', async () => {
    const stacks = { 'PlantStore-dev-anna': { status: 'REVIEW_IN_PROGRESS', template: '' } };
    expect(await guard(stacks, '--stage', 'dev-anna')).toEqual({
      code: 0,
      text: 'PlantStore-dev-anna: no such stack is deployed yet, so there is nothing to lose.\n',
    });
  });

  test('a loss fails, until its logical id is allowed', async () => {
    const { PlantsF7D2F15D: _, ...Resources } = template.Resources;
    const words = ['--stage', 'dev-anna', '--app', await synthesised({ Resources })];
    const stacks = { 'PlantStore-dev-anna': DEPLOYED };
    const lines = [
      'PlantStore-dev-anna: the new template would lose something.',
      '  The table PlantsF7D2F15D would be removed from the stack and deleted.',
    ];
    expect(await guard(stacks, ...words)).toEqual({
      code: 1,
      text: `${lines.join('\n')}\nIf it is intended, accept it: --allow PlantsF7D2F15D\n`,
    });
    expect(await guard(stacks, ...words, '--allow', 'Other,PlantsF7D2F15D')).toEqual({
      code: 0,
      text: `${lines.join('\n')} (accepted)\n`,
    });
  });

  test('a stage without an entry loses all its resources; --allow all accepts this', async () => {
    const old = path.join(await synthesised(template), 'PlantStore-dev-anna.template.json');
    const words = ['--stage', 'gone', '--template', old];
    const { code, text } = await guard({}, ...words);
    expect(code).toBe(1);
    expect(text.split('\n')).toHaveLength(11);
    expect(text).toMatch(
      /^PlantStore-gone: infra\/stages\.ts has no stage gone any more, so its resources would be lost\.\n/,
    );
    expect(text).toContain('  The table PlantsF7D2F15D would be removed from the stack and deleted.\n');
    expect(text).toMatch(/--allow PlantsF7D2F15D,AccessTokensB65260D5,.*AlarmTopicD01E77F9\n$/);
    expect(await guard({}, ...words, '--allow', 'all')).toMatchObject({ code: 0 });
  });
});

test('npm run guard synthesises the project as it is now, and looks in the Region of the stage', async () => {
  const project = await changedProject([
    ['tables.ts', "makeTable(scope, 'Plants'", "makeTable(scope, 'Herbs'"],
    ['stages.ts', 'isTemplate: true,', "isTemplate: true, region: 'eu-west-3',"],
  ]);
  const cloudFormation = await startCloudFormation({ 'PlantStore-dev-anna': DEPLOYED });
  const env = { ...process.env, ...cloudFormation.env, CDK_DEFAULT_ACCOUNT: '999999999999' };
  const args = ['tools/guard.ts', '--stage', 'dev-anna'];
  const output = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: project, env }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
  cloudFormation.close();
  expect(output).toMatch(
    /The table PlantsF7D2F15D would .+; new is Herbs[0-9A-F]{8} \(was the id of a construct changed\?\)\.\n/,
  );
  expect(cloudFormation.regions).toEqual(['eu-west-3']);
});

test('npm run guard checks every stage of the stage file, and every deployed one', async () => {
  const stacks = {
    'PlantStore-gone': DEPLOYED,
    'PlantStore-deleted': { ...DEPLOYED, status: 'DELETE_COMPLETE' },
    'PlantStore-pipeline': DEPLOYED,
    SomebodyElses: DEPLOYED,
    'PlantStore-dev-anna': DEPLOYED,
  };
  const { code, text } = await guard(stacks, '--app', await synthesised(template));
  expect(code).toBe(1);
  expect(text.split('\n').filter((line) => /^\S+: /.test(line))).toEqual(
    expect.arrayContaining([
      'PlantStore-dev: no such stack is deployed yet, so there is nothing to lose.',
      'PlantStore-gone: infra/stages.ts has no stage gone any more, so its resources would be lost.',
      'PlantStore-dev-anna: nothing would be lost (8 resources checked).',
    ]),
  );
  expect(text).not.toMatch(/deleted:|pipeline|Somebody/);
});

test('npm run guard does not wait for ever for an AWS that accepts connections and does not answer', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { code, out, err } = await runTool('guard', ['--stage', 'dev'], {
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
      AWS_MAX_ATTEMPTS: '1',
      NODE_OPTIONS: withUsualLimits(process.env.NODE_OPTIONS),
    },
  });
  silent.close();
  expect(out + err).toMatch(
    /^The template of the stack PlantStore-dev cannot be read: TimeoutError: [^\n]+\n$/,
  );
  expect(code).toBe(1);
});

test.each([
  ['a resource that is none', { Plants: null }],
  ['a resource without a type', { Plants: {} }],
])('npm run guard refuses a template with %s in one line', async (_, Resources) => {
  const old = path.join(await synthesised({ Resources }), 'PlantStore-dev-anna.template.json');
  const { code, text } = await guard(
    {},
    '--stage',
    'dev-anna',
    '--template',
    old,
    '--app',
    path.dirname(old),
  );
  expect([code, text]).toEqual([1, `${old} is not a CloudFormation template.\n`]);
});

test('npm run guard sees the loss of a resource whose id every JavaScript object has', async () => {
  const table = { Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'Retain' };
  const old = path.join(
    await synthesised({ Resources: { constructor: table } }),
    'PlantStore-dev-anna.template.json',
  );
  const app = await synthesised({ Resources: { Other: { Type: 'constructor' } } });
  const { code, text } = await guard({}, '--stage', 'dev-anna', '--template', old, '--app', app);
  expect(text).toContain('The table constructor would be removed from the stack and left behind, unused.');
  expect(code).toBe(1);
});

test.each<[string[], number, string]>([
  [['--stage', 'prdo'], 2, 'Unknown stage "prdo"; choose one of: '],
  [
    ['--stage', 'dev-secret'],
    1,
    'The template of the stack PlantStore-dev-secret cannot be read: AccessDenied: not authorized',
  ],
  [
    ['--stage', 'dev-refused'],
    1,
    'The template of the stack PlantStore-dev-refused cannot be read: ValidationError: 1 validation error',
  ],
  [['--stage', 'dev', '--template', 'missing.json'], 1, 'missing.json cannot be read: ENOENT'],
  [['--stage', 'dev', '--template', 'README.md'], 1, 'README.md is not a CloudFormation template.'],
  [['--stage', 'dev', '--app', 'docs'], 1, 'docs has no templates; npm run synth writes some.'],
  [['--template', 'old.json'], 2, '--template needs --stage.'],
])('%j: one line, and exit code %i', async (words, code, message) => {
  const result = await guard({ 'PlantStore-dev': DEPLOYED }, ...words);
  expect(result.text).toContain(message);
  expect(result.text.trim().split('\n')).toHaveLength(1);
  expect(result.code).toBe(code);
});
