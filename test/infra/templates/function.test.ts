import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CfnFunction, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import { BUNDLE } from '../../../infra/bundle.ts';
import { PlantStoreStack } from '../../../infra/plant-store-stack.ts';
import type { Stage } from '../../../infra/stage-settings.ts';
import { temporaryFolder } from '../../support/temporary-root.ts';
import { EVERYTHING, PROTECTED, UNPROTECTED } from '../../support/test-stages.ts';
import {
  copyOf,
  newApp,
  propertiesOf,
  type Resource,
  readStack,
  resource,
  resources,
  type Synth,
  synth,
} from '../synth.ts';

const functionOf = (stage: Stage) => propertiesOf(copyOf(stage), 'AWS::Lambda::Function').Function;

test('the function has at least 512 MB, 6 s and a log of its own in JSON', () => {
  expect(functionOf(PROTECTED)).toMatchObject({
    Architectures: ['arm64'],
    Code: { S3Key: expect.stringMatching(/^[0-9a-f]{64}\.zip$/) },
    LoggingConfig: {
      ApplicationLogLevel: 'INFO',
      LogFormat: 'JSON',
      LogGroup: '{FunctionLogs}',
      SystemLogLevel: 'WARN',
    },
    Role: '{FunctionRole.Arn}',
    // The early response is sent at 5.5 s; the gateway times out at 29 s.
    Timeout: 6,
  });
  // Less was not measured (infra/function.ts).
  expect(functionOf(PROTECTED).MemorySize).toBeGreaterThanOrEqual(512);
});

test('its environment has the two tables and the origins, no endpoint or secret, and unless it is plain the start script', () => {
  const tables = { PLANTS_TABLE: '{Plants}', ACCESS_TOKENS_TABLE: '{AccessTokens}' };
  const script = process.platform !== 'win32' && { AWS_LAMBDA_EXEC_WRAPPER: '/var/task/start-script.sh' };
  expect(functionOf(PROTECTED).Environment.Variables).toEqual({ ...tables, ...script });
  const { plain, allowedOrigins } = EVERYTHING;
  expect(functionOf({ ...PROTECTED, plain, allowedOrigins }).Environment.Variables).toEqual({
    ...tables,
    ALLOWED_ORIGINS: 'https://app.example.com http://localhost:5173',
  });
});

test('a plain function is loaded by Lambda itself, any other by the file that connects first', () => {
  expect(functionOf(PROTECTED).Handler).toBe('init.handler');
  expect(functionOf({ ...PROTECTED, plain: true }).Handler).toBe('bundle.handler');
});

test('it reserves concurrency only where the stage says so', () => {
  expect(functionOf(EVERYTHING).ReservedConcurrentExecutions).toBe(50);
  expect(functionOf(PROTECTED)).not.toHaveProperty('ReservedConcurrentExecutions');
});

test('a deployment changes only the alias: its commit and, without CodeDeploy, its update policy', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const deployment = { source: { commit, isModified: true }, usesCodeDeploy: false };
  const { template } = copyOf(PROTECTED);
  const { UpdatePolicy, ...live } = template.Resources.Live as Resource & { UpdatePolicy?: object };
  expect(UpdatePolicy).toHaveProperty('CodeDeployLambdaAliasUpdate');
  expect(live.Properties.Description).toBe('commit not known');
  const Live = { ...live, Properties: { ...live.Properties, Description: `commit ${commit}, modified` } };
  const expected = { ...template, Resources: { ...template.Resources, Live } };
  // Strictly: otherwise undefined equals nothing.
  expect(synth(PROTECTED, undefined, deployment).template).toStrictEqual(expected);
});

describe('the version has a new logical id exactly if Lambda sees another version', () => {
  const versionOf = (synth: Synth, id = 'Function') =>
    resources(synth, 'AWS::Lambda::Version')
      .map(([each]) => each)
      .filter((each) => each.startsWith(`${id}CurrentVersion`));
  const version = versionOf(copyOf(PROTECTED));
  const withFunction = (change: (properties: CfnFunction) => void) =>
    synth(PROTECTED, ({ node }) => change(node.findChild('Function').node.defaultChild as CfnFunction));
  const withQualifier = () => {
    const context = { '@aws-cdk/core:bootstrapQualifier': 'company' };
    return readStack(new PlantStoreStack(newApp(context), PROTECTED));
  };
  const withOtherCode = () => {
    const bundle = temporaryFolder();
    writeFileSync(join(bundle, BUNDLE), 'other code');
    return synth(PROTECTED, undefined, { bundle });
  };
  const bound = { ...PROTECTED, account: '111122223333', region: 'eu-west-1' };

  test.each<[string, Synth]>([
    ['account and Region are set', copyOf(bound)],
    ['and so is a key', copyOf({ ...bound, keyArn: EVERYTHING.keyArn })],
    ['the bootstrap has another qualifier', withQualifier()],
    ['concurrency is reserved', copyOf({ ...PROTECTED, concurrency: 50 })],
    ['the function gets a tag', withFunction((each) => each.tags.setTag('team', 'plants'))],
  ])('it stays if %s', (_, changed) => {
    expect(resource(changed, 'Function')).not.toEqual(resource(copyOf(PROTECTED), 'Function'));
    expect(versionOf(changed)).toEqual(version);
  });

  test.each<[string, Synth]>([
    ['code', withOtherCode()],
    ['memory', withFunction((each) => Object.assign(each, { memorySize: 1024 }))],
    ['environment', copyOf({ ...PROTECTED, allowedOrigins: ['https://app.example.com'] })],
    ['start', copyOf({ ...PROTECTED, plain: true })],
  ])('it changes with the %s', (_, changed) => {
    expect(versionOf(changed)).toHaveLength(1);
    expect(versionOf(changed)).not.toEqual(version);
  });
});

test('a second function of the stack has a new version with each new code, as the CDK says', () => {
  const versionWith = (code: string) => {
    const second = synth(PROTECTED, (stack) => {
      const runtime = Runtime.NODEJS_24_X;
      void new LambdaFunction(stack, 'Second', {
        code: Code.fromInline(code),
        handler: 'index.handler',
        runtime,
      }).currentVersion;
    });
    return resources(second, 'AWS::Lambda::Version')
      .map(([id]) => id)
      .filter((id) => id.startsWith('Second'));
  };
  const [[one, ...more], [other]] = [
    versionWith('exports.handler = 1'),
    versionWith('exports.handler = 2'),
  ] as const;
  expect([one, more]).toEqual([expect.stringMatching(/^SecondCurrentVersion/), []]);
  expect(other).not.toBe(one);
});

test('five percent of the requests are traced, none reserved', () => {
  expect(propertiesOf(copyOf(PROTECTED), 'AWS::XRay::SamplingRule').Sampling.SamplingRule).toMatchObject({
    RuleName: 'PlantStore-production',
    ReservoirSize: 0,
    FixedRate: 0.05,
    // What the gateway calls itself: the API, and its stage.
    ServiceName: 'PlantStore-production/production',
    ServiceType: 'AWS::ApiGateway::Stage',
  });
});

describe('a deployment', () => {
  const deploymentOf = (stage: Stage) =>
    propertiesOf(copyOf(stage), 'AWS::CodeDeploy::DeploymentGroup').Deployment;
  const ALWAYS = ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST'];

  test('is by a canary of the minutes of the stage, and two alarms undo it', () => {
    expect(deploymentOf(EVERYTHING)).toMatchObject({
      AlarmConfiguration: {
        Alarms: [{ Name: '{Faults}' }, { Name: '{Unanswered}' }, { Name: '{FunctionErrors}' }],
        Enabled: true,
      },
      AutoRollbackConfiguration: { Enabled: true, Events: [...ALWAYS, 'DEPLOYMENT_STOP_ON_ALARM'] },
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent30Minutes',
    });
  });

  test('without a canary is all at once, whatever alarm is firing', () => {
    expect(deploymentOf(UNPROTECTED)).toMatchObject({
      // False, not omitted: CloudFormation would keep the group's earlier alarms.
      AlarmConfiguration: { Enabled: false },
      AutoRollbackConfiguration: { Enabled: true, Events: ALWAYS },
      DeploymentConfigName: 'CodeDeployDefault.LambdaAllAtOnce',
    });
  });
});
