import { describe, expect, test } from 'vitest';
import { TAGS } from '../../../infra/stages.ts';
import { EVERYTHING } from '../../support/test-stages.ts';
import {
  copyOf,
  only,
  propertiesOf,
  type Resource,
  resource,
  resources,
  synth as synthesize,
  synthPipeline,
  TESTED_STAGES,
} from '../synth.ts';

/** What happens to a resource when it leaves the template, and when it is replaced. */
const kept = ({ DeletionPolicy, UpdateReplacePolicy }: Resource & { UpdateReplacePolicy?: string }) => [
  DeletionPolicy,
  UpdateReplacePolicy,
];
const RETAINED = ['Retain', 'Retain'];

describe.each(TESTED_STAGES)('the template of $name', (stage) => {
  const synth = copyOf(stage);
  const { isProtected, logDays } = stage;
  const policies = isProtected ? RETAINED : ['Delete', 'Delete'];
  const policiesOf = (type: string) =>
    Object.fromEntries(resources(synth, type).map(([id, resource]) => [id, kept(resource)]));

  test('has the account, Region and tags of the stage, and termination protection if the stage is protected', () => {
    expect(synth.stack).toEqual({
      account: stage.account ?? 'unknown-account',
      region: stage.region ?? 'unknown-region',
      tags: { ...TAGS, service: 'plant-store', stage: stage.name },
      terminationProtection: isProtected,
    });
  });

  // Also those that a service of one's own has beside ours.
  test.each(['AWS::DynamoDB::GlobalTable', 'AWS::Logs::LogGroup'])(
    'keeps each %s of a protected stage',
    (type) => {
      const found = policiesOf(type);
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((id) => [id, policies])));
    },
  );

  test('traces its requests', () => {
    expect(only(synth, 'AWS::ApiGateway::Stage').Properties.TracingEnabled).toBe(true);
    expect(resource(synth, 'Function').Properties.TracingConfig).toEqual({ Mode: 'Active' });
  });

  test('keeps the versions of a protected stage for a rollback, but not that of a failed deployment', () => {
    const versions = Object.entries(policiesOf('AWS::Lambda::Version'));
    const ofOurs = versions.filter(([id]) => id.startsWith('FunctionCurrentVersion'));
    expect(ofOurs.map(([, found]) => found)).toEqual([
      isProtected ? ['RetainExceptOnCreate', 'Retain'] : policies,
    ]);
  });

  test("keeps the gateway's log role, which all APIs of the Region use, unless another team has made it", () => {
    const { ApiCloudWatchRole } = policiesOf('AWS::IAM::Role');
    expect({ ...policiesOf('AWS::ApiGateway::Account'), ApiCloudWatchRole }).toEqual(
      stage.hasGatewayRole ? {} : { ApiAccount: RETAINED, ApiCloudWatchRole: RETAINED },
    );
  });

  test('has the retention, the key and the protection of the stage in both log groups', () => {
    const all = {
      DeletionProtectionEnabled: isProtected,
      RetentionInDays: logDays,
      ...(stage.keyArn && { KmsKeyId: stage.keyArn }),
    };
    const { FunctionLogs, AccessLogs } = propertiesOf(synth, 'AWS::Logs::LogGroup');
    expect({ FunctionLogs, AccessLogs }).toEqual({ FunctionLogs: all, AccessLogs: all });
  });
});

test('a stage or a pipeline of any Region names no partition of its own', () => {
  const anywhere = TESTED_STAGES.filter(({ region }) => region === undefined);
  // A certificate and a pager are named by whoever adds them.
  const stages = anywhere.map(({ pagerTopicArn: _, ...stage }) => copyOf(stage));
  const synths = [...stages, synthPipeline(true), synthPipeline(false)];
  const found = synths.flatMap(({ template }) =>
    JSON.stringify(template).match(/[^"{}]*\barn:aws(?!:acm:)[^"{}]*/g),
  );
  expect(found.filter(Boolean)).toEqual([]);
});

test('tags of a company reach both stacks beside service and stage, which they do not replace, and the tables', () => {
  const tags = TAGS as Record<string, string>;
  const before = { ...TAGS };
  Object.assign(tags, { CostCenter: '4711', stage: 'theirs' });
  const [everything, pipeline] = [synthesize(EVERYTHING), synthPipeline(false)];
  for (const key of Object.keys(tags)) delete tags[key];
  Object.assign(tags, before);
  const ofStage = { ...before, CostCenter: '4711', service: 'plant-store', stage: 'everything' };
  expect(everything.stack.tags).toEqual(ofStage);
  expect(pipeline.stack.tags).toEqual({ ...ofStage, stage: 'theirs' });
  // CloudFormation gives the tags of the stack to all other types that can have tags.
  const expected = Object.entries(ofStage).map(([Key, Value]) => ({ Key, Value }));
  const { Plants, AccessTokens } = propertiesOf(everything, 'AWS::DynamoDB::GlobalTable');
  const ofTables = [Plants, AccessTokens].map(({ Replicas }) => Replicas[0].Tags);
  expect(ofTables).toEqual([expect.arrayContaining(expected), expect.arrayContaining(expected)]);
});
