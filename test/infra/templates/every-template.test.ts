import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { afterEach, describe, expect, test } from 'vitest';
import { TAGS } from '../../../infra/stages.ts';
import {
  copyOf,
  EVERYTHING,
  only,
  type Resource,
  resources,
  synth as synthesize,
  synthPipeline,
  TESTED_STAGES,
} from '../synth.ts';

/** Their ids have a hash in the middle, of their own path; nobody names them. */
const UNNAMED = ['AWS::Lambda::Permission', 'AWS::ApiGateway::BasePathMapping'];

/** What happens to a resource when it leaves the template, and when it is replaced. */
const kept = ({ DeletionPolicy, UpdateReplacePolicy }: Resource & { UpdateReplacePolicy?: string }) => [
  DeletionPolicy,
  UpdateReplacePolicy,
];
const RETAINED = ['Retain', 'Retain'];

describe.each(Object.values(TESTED_STAGES))('the template of $name', (stage) => {
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

  test.each(['AWS::DynamoDB::GlobalTable', 'AWS::Logs::LogGroup'])(
    'keeps each %s of a protected stage',
    (type) => {
      const found = policiesOf(type);
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((id) => [id, policies])));
    },
  );

  test('traces its requests', () => {
    expect(only(synth, 'AWS::ApiGateway::Stage').Properties.TracingEnabled).toBe(true);
    expect(only(synth, 'AWS::Lambda::Function').Properties.TracingConfig).toEqual({ Mode: 'Active' });
  });

  test('protects the tables of a protected stage from deletion', () => {
    const tables = resources(synth, 'AWS::DynamoDB::GlobalTable');
    const found = tables.map(([id, { Properties }]) => [
      id,
      Properties.Replicas[0].DeletionProtectionEnabled,
    ]);
    expect(found).toEqual(tables.map(([id]) => [id, isProtected]));
  });

  test('keeps the versions of a protected stage for a rollback, but not that of a failed deployment', () => {
    const versions = Object.values(policiesOf('AWS::Lambda::Version'));
    expect(versions).toEqual([isProtected ? ['RetainExceptOnCreate', 'Retain'] : policies]);
  });

  test("keeps the gateway's log role, which all APIs of the Region use, unless another team has made it", () => {
    const { ApiCloudWatchRole } = policiesOf('AWS::IAM::Role');
    expect({ ...policiesOf('AWS::ApiGateway::Account'), ApiCloudWatchRole }).toEqual(
      stage.hasGatewayRole ? {} : { ApiAccount: RETAINED, ApiCloudWatchRole: RETAINED },
    );
  });

  test('has the retention of the stage in each log group', () => {
    const days = resources(synth, 'AWS::Logs::LogGroup').map(([id, { Properties }]) => [id, Properties]);
    const all = { RetentionInDays: logDays, ...(stage.keyArn && { KmsKeyId: stage.keyArn }) };
    expect(Object.fromEntries(days)).toEqual({ FunctionLogs: all, AccessLogs: all });
  });

  test('has logical ids without a hash, which the runbook names', () => {
    const ids = Object.entries(synth.template.Resources).filter(([, { Type }]) => !UNNAMED.includes(Type));
    // The hash of a version is longer, and may end with eight digits.
    expect(ids.map(([id]) => id).filter((id) => /(?<![\da-f]{8})[0-9A-F]{8}$/.test(id))).toEqual([]);
  });
});

test('a stage or a pipeline of any Region names no partition of its own', () => {
  const anywhere = Object.values(TESTED_STAGES).filter(({ region }) => region === undefined);
  // A certificate and a pager are named by whoever adds them.
  const stages = anywhere.map(({ pagerTopicArn: _, ...stage }) => copyOf(stage));
  const synths = [...stages, synthPipeline(true), synthPipeline(false)];
  const found = synths.flatMap(({ template }) =>
    JSON.stringify(template).match(/[^"{}]*\barn:aws(?!:acm:)[^"{}]*/g),
  );
  expect(found.filter(Boolean)).toEqual([]);
});

describe('tags of a company', () => {
  const before = { ...TAGS };
  const setTags = (tags: Readonly<Record<string, string>>) => {
    for (const key of Object.keys(TAGS)) delete (TAGS as Record<string, string>)[key];
    Object.assign(TAGS, tags);
  };
  afterEach(() => setTags(before));
  /** Types that AWS cannot tag, or that count as a part of another. */
  const UNTAGGED =
    /^AWS::(ApiGateway::(Account|BasePathMapping|Deployment|GatewayResponse|Method|Resource)|IAM::Policy|Lambda::(Alias|Permission|Version)|Logs::(MetricFilter|QueryDefinition)|Route53::RecordSet|SNS::(Subscription|TopicPolicy)|WAFv2::WebACLAssociation)$/;

  test('reach all stacks and each resource that can have tags, beside service and stage, which they do not replace', () => {
    setTags({ CostCenter: '4711', stage: 'theirs' });
    const synths = { everything: synthesize(EVERYTHING), pipeline: synthPipeline(false) };
    expect(synths.everything.stack.tags).toEqual({
      CostCenter: '4711',
      service: 'plant-store',
      stage: 'everything',
    });
    expect(synths.pipeline.stack.tags).toEqual({
      CostCenter: '4711',
      service: 'plant-store',
      stage: 'theirs',
    });
    // CloudFormation gives the stack's tags to types that have a property for tags.
    const known = new Map(
      loadAwsServiceSpecSync()
        .all('resource')
        .map(({ cloudFormationType, tagInformation }) => [cloudFormationType, tagInformation]),
    );
    const others = Object.values(synths)
      .flatMap(({ template }) => Object.values(template.Resources))
      .filter(({ Type }) => !known.get(Type) && !UNTAGGED.test(Type));
    expect(others.map(({ Type }) => Type)).toEqual([
      'AWS::DynamoDB::GlobalTable',
      'AWS::DynamoDB::GlobalTable',
    ]);
    for (const { Properties } of others)
      expect(Properties.Replicas).toEqual([
        expect.objectContaining({
          Tags: [
            { Key: 'CostCenter', Value: '4711' },
            { Key: 'service', Value: 'plant-store' },
            { Key: 'stage', Value: 'everything' },
          ],
        }),
      ]);
  });
});
