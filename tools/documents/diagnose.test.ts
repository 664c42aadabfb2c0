import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findStage } from '../../infra/find-stage.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { newApp } from '../../test/infra/synth.ts';
import { is, startAws } from '../../test/support/aws-stand-in.ts';
import { codeOf, ROOT } from './documents.ts';

const STACK = {
  StackName: 'PlantStore-dev',
  StackId: 'arn:aws:cloudformation:eu-west-1:111122223333:stack/PlantStore-dev/1',
};
const event = (LogicalResourceId: string, ResourceStatusReason: string) => ({
  ...STACK,
  EventId: LogicalResourceId,
  LogicalResourceId,
  PhysicalResourceId: '',
  ResourceType: 'AWS::Any::Type',
  ResourceStatus: 'CREATE_FAILED',
  ResourceStatusReason,
  Timestamp: '2026-11-22T10:00:00Z',
});

test('the documented command prints why a deployment failed, and not what was cancelled because of it', async () => {
  const command = codeOf('docs/first-deployment.md').find((line) => line.startsWith('npx cdk diagnose'));
  const app = newApp();
  new PlantStoreStack(app, findStage('dev'));
  const { directory } = app.synth();
  const aws = await startAws({
    GetCallerIdentity: is({
      Account: '111122223333',
      Arn: 'arn:aws:iam::111122223333:user/any',
      UserId: 'any',
    }),
    DescribeStacks: is({
      Stacks: [{ ...STACK, StackStatus: 'ROLLBACK_COMPLETE', CreationTime: '2026-11-22T09:00:00Z' }],
    }),
    DescribeStackEvents: is({
      StackEvents: [
        event('Plants', 'Resource creation cancelled'),
        event('ApiAccount', 'The role ARN is wrong'),
      ],
    }),
  });
  const words = [...(command ?? '').split(' '), '--app', directory];
  // The CDK looks for credentials and accounts that it has seen under the home folder.
  const run = promisify(execFile)('npx', words.slice(1), {
    cwd: ROOT,
    env: { ...process.env, ...aws.env, HOME: directory },
  });
  const { code, stderr } = await run.catch((error) => error);
  aws.close();
  rmSync(directory, { recursive: true });
  expect(code).toBe(1);
  expect(stderr).toContain('PlantStore-dev:\nResource updates failed:\n');
  expect(stderr).toContain('ApiAccount)\n  The role ARN is wrong\n');
  expect(stderr).not.toContain('cancelled');
});
