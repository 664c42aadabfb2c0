import { RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import type { Stage } from '../../../infra/stage-settings.ts';
import { kindOf } from '../../../tools/guard/kinds.ts';
import { findLosses } from '../../../tools/guard/losses.ts';
import type { Template } from '../../../tools/guard/templates.ts';
import { copyOf, type Json, PROTECTED, synth, UNPROTECTED } from '../../infra/synth.ts';

const deployed: Json = copyOf(PROTECTED).template;
const deployedUnprotected: Json = copyOf(UNPROTECTED).template;

const sentences = (before: Template, after: Template) =>
  findLosses(before, after).map(({ sentence }) => sentence);

/** Changes the resources of a copy of a template. */
function changed(template: Json, change: (resources: Json) => unknown): Json {
  const copy = structuredClone(template);
  change(copy.Resources);
  return copy;
}

test('tables, log groups, aliases, APIs and topics must not be lost; roles, alarms and versions may be', () => {
  const types = Object.values(copyOf(PROTECTED).template.Resources).map(({ Type }) => Type);
  expect([...new Set(types)].filter(kindOf)).toEqual([
    'AWS::DynamoDB::GlobalTable',
    'AWS::Logs::LogGroup',
    'AWS::Lambda::Alias',
    'AWS::ApiGateway::RestApi',
    'AWS::ApiGateway::Stage',
    'AWS::SNS::Topic',
  ]);
});

describe('what would be lost', () => {
  test('the table, when the id of its construct is changed', () => {
    const renamed = JSON.parse(JSON.stringify(deployed).replaceAll('PlantsF7D2F15D', 'Herbs12345678'));
    renamed.Resources.Another = { Type: 'AWS::KMS::Key' };
    expect(sentences(deployed, renamed)).toEqual([
      'The table PlantsF7D2F15D would be removed from the stack and left behind, unused; ' +
        'new: Herbs12345678 (was the id of a construct changed?).',
    ]);
  });

  test('everything in the stack, when the stage is removed', () => {
    expect(sentences(deployed, { Resources: {} })).toEqual([
      'The table PlantsF7D2F15D would be removed from the stack and left behind, unused.',
      'The table AccessTokensB65260D5 would be removed from the stack and left behind, unused.',
      'The log group FunctionLogsAE28C13D would be removed from the stack and left behind, unused.',
      'The function alias Live848578DF would be removed from the stack and deleted.',
      'The log group AccessLogs8B620ECA would be removed from the stack and left behind, unused.',
      'The API ApiF70053CD would be removed from the stack and deleted.',
      'The API stage ApiDeploymentStageproductionA7298FD9 would be removed from the stack and deleted.',
      'The topic AlarmTopicD01E77F9 would be removed from the stack and deleted.',
    ]);
  });

  test('a key and its alias that a fork has added', () => {
    const key = { Type: 'AWS::KMS::Key', DeletionPolicy: 'Retain' };
    expect(
      sentences({ Resources: { Key: key, Name: { Type: 'AWS::KMS::Alias' } } }, { Resources: {} }),
    ).toEqual([
      'The key Key would be removed from the stack and left behind, unused.',
      'The key alias Name would be removed from the stack and deleted.',
    ]);
  });

  test('the table and its data, in an unprotected stage', () => {
    const named = changed(deployedUnprotected, (all) => {
      all.PlantsF7D2F15D.Properties.TableName = 'plants';
    });
    expect(sentences(deployedUnprotected, named)).toEqual([
      'The table PlantsF7D2F15D would be replaced by a new, empty one and deleted (TableName changes).',
    ]);
  });

  test('the function alias, when its function is replaced', () => {
    const named = changed(deployed, (all) => {
      all.Function76856677.Properties.FunctionName = 'plants';
    });
    expect(sentences(deployed, named)).toEqual([
      'The function alias Live848578DF would be replaced by a new one and deleted (FunctionName changes).',
    ]);
  });

  const PLANTS = 'table PlantsF7D2F15D';
  const LOGS = 'log group AccessLogs8B620ECA';
  const replaced = 'be replaced by a new, empty one and left behind, unused';
  const KeySchema = [{ AttributeName: 'name', KeyType: 'HASH' }];
  const text = (AttributeName: string) => [{ AttributeName, AttributeType: 'S' }];
  const TimeToLiveSpecification = { AttributeName: 'until', Enabled: true };
  const onDelete = 'no longer be kept when its stack is deleted (DeletionPolicy: Retain to Delete)';
  const onReplace = 'no longer be kept when it is replaced (UpdateReplacePolicy: Retain to Delete)';
  const unprotected =
    'lose its deletion protection, lose its backups (point-in-time recovery is switched off)';
  test.each<[resource: string, fate: string, properties: Json, policies?: Json]>([
    [PLANTS, `${replaced} (KeySchema changes)`, { KeySchema, AttributeDefinitions: text('name') }],
    [PLANTS, `${replaced} (AttributeDefinitions changes)`, { AttributeDefinitions: text('id') }],
    [PLANTS, 'lose each item at the time in its attribute until', { TimeToLiveSpecification }],
    [PLANTS, unprotected, { Replicas: [{ DeletionProtectionEnabled: false }] }],
    [PLANTS, `${onDelete}, ${onReplace}`, {}, { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' }],
    // An absent policy means deletion.
    [PLANTS, onDelete, {}, { DeletionPolicy: undefined }],
    [LOGS, `${replaced} (LogGroupName changes)`, { LogGroupName: 'plants' }],
    [LOGS, 'lose its entries older than 30 days', { RetentionInDays: 30 }],
  ])('the %s would %s', (resource, fate, properties, policies) => {
    const after = changed(deployed, (all) => {
      const found = all[resource.split(' ').at(-1) ?? ''];
      Object.assign(found, policies);
      Object.assign(found.Properties, properties);
    });
    expect(sentences(deployed, after)).toEqual([`The ${resource} would ${fate}.`]);
  });
});

describe('nothing would be lost', () => {
  test('by other code, other settings and more resources', () => {
    const settings: Partial<Stage> = {
      throttle: { rate: 600, burst: 2_000 },
      logDays: 365,
      tableCeiling: { reads: 500, writes: 500 },
      account: '111122223333',
      region: 'eu-west-1',
      firewall: { requests: 500 },
      alarmEmail: 'a@example.com',
      concurrency: 9,
    };
    const { template } = synth({ ...PROTECTED, ...settings }, (stack) => {
      const plantFunction = stack.node.findChild('Function') as LambdaFunction;
      plantFunction.addEnvironment('ANOTHER', 'value');
      new Alias(stack, 'Another', { aliasName: 'another', version: plantFunction.currentVersion });
      new Key(stack, 'Key', { removalPolicy: RemovalPolicy.DESTROY, enableKeyRotation: true });
    });
    const versions = (each: Json) =>
      Object.keys(each.Resources).filter((id) => id.startsWith('FunctionCurrentVersion'));
    expect(versions(template)).not.toEqual(versions(deployed));
    expect(sentences(deployed, template as Json)).toEqual([]);
  });

  test('by more protection', () => {
    const after = changed(deployedUnprotected, (all) => {
      const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
      for (const each of Object.values(all)) Object.assign(each as object, kept);
      all.PlantsF7D2F15D.Properties.Replicas[0].DeletionProtectionEnabled = true;
    });
    expect(sentences(deployedUnprotected, after)).toEqual([]);
  });
});
