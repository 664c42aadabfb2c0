import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { App, Stack } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { is, startAws } from '../../test/support/aws-stand-in.ts';
import { isExhaustive } from '../../test/support/exhaustive.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
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

const DOES_RUN = isExhaustive('npx cdk diagnose, as it is documented');
test.runIf(DOES_RUN)(
  'the documented command prints why a deployment failed, and not what was cancelled because of it',
  async () => {
    const command = codeOf('docs/first-deployment.md').find((line) => line.startsWith('npx cdk diagnose'));
    const app = new App({ outdir: temporaryFolder() });
    new Stack(app, STACK.StackName);
    const { directory } = app.synth();
    const stack = { ...STACK, StackStatus: 'ROLLBACK_COMPLETE', CreationTime: '2026-11-22T09:00:00Z' };
    const events = [
      event('Plants', 'Resource creation cancelled'),
      event('ApiAccount', 'The role ARN is wrong'),
    ];
    const aws = await startAws({
      GetCallerIdentity: is({ Account: '111122223333', Arn: 'arn:aws:me', UserId: 'any' }),
      DescribeStacks: is({ Stacks: [stack] }),
      DescribeStackEvents: is({ StackEvents: events }),
    });
    const words = [...(command ?? '').split(' '), '--app', directory];
    // The CDK looks for credentials and accounts that it has seen under the home folder.
    const env = { ...process.env, ...aws.env, HOME: directory };
    const run = promisify(execFile)('npx', words.slice(1), { cwd: ROOT, env });
    const { code, stderr } = await run.catch((error) => error);
    aws.close();
    expect(code).toBe(1);
    expect(stderr).toContain('PlantStore-dev:\nResource updates failed:\n');
    expect(stderr).toContain('ApiAccount)\n  The role ARN is wrong\n');
    expect(stderr).not.toContain('cancelled');
  },
);
