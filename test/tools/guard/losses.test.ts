import { type CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import type { PlantStoreStack } from '../../../infra/plant-store-stack.ts';
import type { Stage } from '../../../infra/stage-settings.ts';
import { loadKinds } from '../../../tools/guard/kinds.ts';
import { findLosses, precious } from '../../../tools/guard/losses.ts';
import type { Template } from '../../../tools/guard/template.ts';
import { type Json, PROTECTED, synth, UNPROTECTED } from '../../infra/synth.ts';

const kindOf = await loadKinds();

type Change = (stack: PlantStoreStack) => void;

/** The template of a stack, after a change. */
const templateOf = (stage: Stage, change?: Change): Template => synth(stage, change).template as Json;
const deployed = templateOf(PROTECTED);
const deployedUnprotected = templateOf(UNPROTECTED);

const sentences = (before: Template, after: Template) =>
  findLosses(before, after, kindOf).map(({ sentence }) => sentence);

/** The losses in the protected stage when its stack is changed. */
const lossesBy = (change: Change) => sentences(deployed, templateOf(PROTECTED, change));

/** A construct's resource. */
const resource = (stack: PlantStoreStack, ...path: string[]) => {
  const construct = path.reduce((node, id) => node.findChild(id).node, stack.node);
  return (construct.defaultChild ?? construct.scopes.at(-1)) as CfnResource;
};
const plants = (stack: PlantStoreStack) => resource(stack, 'Plants');

describe('what would be lost', () => {
  test('the table, when the id of its construct is changed', () => {
    const rename: Change = (stack) => {
      plants(stack).overrideLogicalId('Herbs12345678');
      new Key(stack, 'AnotherResource', { enableKeyRotation: true });
    };
    expect(lossesBy(rename)).toEqual([
      'The table PlantsF7D2F15D would be removed from the stack and left behind, unused; ' +
        'new is Herbs12345678 (was the id of a construct changed?).',
    ]);
  });

  test('the table, when another attribute is its key', () => {
    const after = lossesBy((stack) => {
      plants(stack).addPropertyOverride('KeySchema', [{ AttributeName: 'name', KeyType: 'HASH' }]);
      plants(stack).addPropertyOverride('AttributeDefinitions', [
        { AttributeName: 'name', AttributeType: 'S' },
      ]);
    });
    expect(after).toEqual([
      'The table PlantsF7D2F15D would be replaced by a new, empty one and left behind, unused (KeySchema changes).',
    ]);
  });

  test('the table, when its key has another type', () => {
    expect(
      lossesBy((stack) => plants(stack).addPropertyOverride('AttributeDefinitions.0.AttributeType', 'S')),
    ).toEqual([
      'The table PlantsF7D2F15D would be replaced by a new, empty one and left behind, unused (AttributeDefinitions changes).',
    ]);
  });

  test('the table and its data, in an unprotected stage', () => {
    const name: Change = (stack) => plants(stack).addPropertyOverride('TableName', 'plants');
    expect(sentences(deployedUnprotected, templateOf(UNPROTECTED, name))).toEqual([
      'The table PlantsF7D2F15D would be replaced by a new, empty one and deleted (TableName changes).',
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

  test('the function alias, when its function is replaced', () => {
    expect(
      lossesBy((stack) => resource(stack, 'Function').addPropertyOverride('FunctionName', 'plants')),
    ).toEqual([
      'The function alias Live848578DF would be replaced by a new one and deleted (FunctionName changes).',
    ]);
  });

  test('the log group, when it is given a name', () => {
    expect(
      lossesBy((stack) => resource(stack, 'AccessLogs').addPropertyOverride('LogGroupName', 'a')),
    ).toEqual([
      'The log group AccessLogs8B620ECA would be replaced by a new, empty one and left behind, unused (LogGroupName changes).',
    ]);
  });

  test('a key and its alias that a fork has added', () => {
    const before = templateOf(
      PROTECTED,
      (stack) => new Key(stack, 'Key', { alias: 'plants', enableKeyRotation: true }),
    );
    expect(sentences(before, deployed)).toEqual([
      expect.stringMatching(
        /^The key Key[0-9A-F]{8} would be removed from the stack and left behind, unused\.$/,
      ),
      expect.stringMatching(
        /^The key alias KeyAlias[0-9A-F]{8} would be removed from the stack and deleted\.$/,
      ),
    ]);
  });

  test.each<[string, Change, string]>([
    [
      'its removal policies',
      (stack) => plants(stack).applyRemovalPolicy(RemovalPolicy.DESTROY),
      'no longer be kept when its stack is deleted (DeletionPolicy: Retain to Delete), ' +
        'no longer be kept when it is replaced (UpdateReplacePolicy: Retain to Delete)',
    ],
    [
      'one of them, which is then absent',
      (stack) => plants(stack).addDeletionOverride('DeletionPolicy'),
      'no longer be kept when its stack is deleted (DeletionPolicy: Retain to Delete)',
    ],
    [
      'its deletion protection',
      (stack) => plants(stack).addPropertyOverride('Replicas.0.DeletionProtectionEnabled', false),
      'lose its deletion protection',
    ],
    [
      'its point-in-time recovery',
      (stack) => plants(stack).addPropertyDeletionOverride('Replicas.0.PointInTimeRecoverySpecification'),
      'lose its backups (point-in-time recovery is switched off)',
    ],
    [
      'its items',
      (stack) =>
        plants(stack).addPropertyOverride('TimeToLiveSpecification', {
          AttributeName: 'until',
          Enabled: true,
        }),
      'lose each item at the time in its attribute until',
    ],
  ])('the protection of the table: %s', (_, change, ends) => {
    expect(lossesBy(change)).toEqual([`The table PlantsF7D2F15D would ${ends}.`]);
  });

  test('old log entries, when they are kept for fewer days', () => {
    expect(sentences(deployed, templateOf({ ...PROTECTED, logDays: 30 }))).toEqual([
      'The log group FunctionLogsAE28C13D would lose its entries older than 30 days.',
      'The log group AccessLogs8B620ECA would lose its entries older than 30 days.',
    ]);
  });
});

describe('nothing is lost', () => {
  const versions = ({ Resources }: Template) =>
    Object.entries(Resources).flatMap(([id, { Type }]) => (Type === 'AWS::Lambda::Version' ? [id] : []));

  test('by other code, which makes a new version of the function', () => {
    const after = templateOf(PROTECTED, (stack) => {
      (stack.node.findChild('Function') as LambdaFunction).addEnvironment('ANOTHER', 'value');
    });
    expect(versions(after)).not.toEqual(versions(deployed));
    expect(sentences(deployed, after)).toEqual([]);
  });

  test('by more memory, and by another alias', () => {
    const after = templateOf(PROTECTED, (stack) => {
      resource(stack, 'Function').addPropertyOverride('MemorySize', 2_048);
      const { currentVersion } = stack.node.findChild('Function') as LambdaFunction;
      new Alias(stack, 'Another', { aliasName: 'another', version: currentVersion });
    });
    expect(after).not.toEqual(deployed);
    expect(sentences(deployed, after)).toEqual([]);
  });

  test.each<[string, Partial<Stage>]>([
    ['throttle', { throttle: { rate: 600, burst: 2_000 } }],
    ['retention, to more days', { logDays: 365 }],
    ['ceiling', { tableCeiling: { reads: 500, writes: 500 } }],
    ['account and Region, where it is', { account: '111122223333', region: 'eu-west-1' }],
    [
      'firewall, alarm e-mail and concurrency',
      { firewall: { requests: 500 }, alarmEmail: 'a@example.com', concurrency: 9 },
    ],
  ])('by another setting of a stage: %s', (_, settings) => {
    expect(sentences(deployed, templateOf({ ...PROTECTED, ...settings }))).toEqual([]);
  });

  test('by more protection', () => {
    expect(sentences(deployedUnprotected, templateOf({ ...PROTECTED, name: UNPROTECTED.name }))).toEqual([]);
  });
});

test('roles, alarms, versions and deployments, which are created again', () => {
  const types = [...precious(deployed, kindOf).keys()].map((id) => deployed.Resources[id]?.Type);
  expect([...new Set(types)]).toEqual([
    'AWS::DynamoDB::GlobalTable',
    'AWS::Logs::LogGroup',
    'AWS::Lambda::Alias',
    'AWS::ApiGateway::RestApi',
    'AWS::ApiGateway::Stage',
    'AWS::SNS::Topic',
  ]);
});
