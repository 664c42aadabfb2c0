import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inPascalCase } from '../../infra/stack-names.ts';
import { isThere } from '../support/needs.ts';
import { ROOT, read } from '../support/project.ts';

const policies = globSync('docs/policies/*.json', { cwd: ROOT });

/** The script of sed that a document shows for a policy. */
const scriptIn = (document: string) => /sed '([^']+)'[\s\\]+docs\/policies\//.exec(read(document))?.[1] ?? '';

const hasSed = isThere(spawnSync('sed', ['p'], { input: '' }).status === 0, {
  tests: 'the commands that make the policies',
  why: 'there is no sed here.',
  required: process.env.REQUIRE_ALL === '1',
});

test.runIf(hasSed).each(policies)(
  'the documented command makes a whole policy of %s, in any partition',
  (file) => {
    const document = file.endsWith('key.json') ? 'docs/company.md' : 'docs/permissions.md';
    const script = scriptIn(document).replace('PARTITION/aws/', 'PARTITION/aws-cn/');
    const policy = execFileSync('sed', [script, file], { cwd: ROOT, encoding: 'utf8' });
    const { Statement } = JSON.parse(policy);
    expect(Statement.length).toBeGreaterThan(1);
    expect(policy.match(/\b(PARTITION|REGION|ACCOUNT|QUALIFIER)\b/g)).toBeNull();
    const arns = policy.match(/"arn:[^"]*/g) ?? [];
    expect(arns.filter((each) => !each.startsWith('"arn:aws-cn:'))).toEqual([]);
  },
);

test('but for what IAM allows, a key of one’s own is used through DynamoDB by the account, for its log groups, and by its alarms', () => {
  const { Statement } = JSON.parse(read('docs/policies/key.json'));
  expect(Statement.map(({ Condition }: { Condition?: object }) => Condition)).toEqual([
    undefined,
    {
      StringEquals: { 'kms:CallerAccount': 'ACCOUNT' },
      StringLike: { 'kms:ViaService': 'dynamodb.REGION.*' },
    },
    {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': 'arn:PARTITION:logs:REGION:ACCOUNT:log-group:PlantStore-*',
      },
    },
    { StringEquals: { 'aws:SourceAccount': 'ACCOUNT' } },
  ]);
});

// The Service Authorization Reference gives it no type of resource, so that IAM would match no ARN; CodeDeploy's guide says otherwise.
// With *, it is allowed under both.
test('whoever is on call may stop a canary', () => {
  const { Statement } = JSON.parse(read('docs/policies/on-call.json'));
  const stops = Statement.filter(({ Action }: { Action: string[] }) =>
    Action.includes('codedeploy:StopDeployment'),
  );
  expect(stops).toMatchObject([{ Effect: 'Allow', Resource: '*' }]);
});

test('whoever is on call may make each call of DynamoDB that the procedures of a lost table have', () => {
  const onCall = read('docs/policies/on-call.json');
  const called = [...read('docs/recover.md').matchAll(/aws dynamodb ([a-z-]+)/g)].map(
    ([, name = '']) => name,
  );
  const reads = /^(wait|describe-table)$/;
  const actions = called
    .filter((name) => !reads.test(name))
    .map((name) => `"dynamodb:${inPascalCase(name)}"`);
  expect(actions).toContain('"dynamodb:TagResource"');
  expect(actions.filter((action) => !onCall.includes(action))).toEqual([]);
});
