import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand as DescribeStatus,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
  type StackResourceDrift,
} from '@aws-sdk/client-cloudformation';
import { readAll } from '../../infra/deployed/aws.ts';
import type { DeployedStack } from '../../infra/deployed/deployed-stack.ts';
import { stackName } from '../../infra/names.ts';
import { deployed, ok, problem, type Question } from './question.ts';

/** How long a drift detection may take, in milliseconds. AWS says minutes for a large stack. */
const DETECTION_MS = 300_000;
/** The pauses between queries of its status, in milliseconds: the first one is doubled up to the longest. */
const PAUSE_MS = { first: 200, longest: 5_000 };

/** Statuses: CloudFormation User Guide, "Stack status codes". */
export const stackState: Question = async ({ stage, stack }) => {
  const name = stackName(stage.name);
  const aws = (command: string) => `aws cloudformation ${command} --stack-name ${name}`;
  const deploy = `npm run deploy -- -c stage=${stage.name}`;
  const found = await stack;
  if (found === undefined) return { verdict: 'not yet', says: `${name} is not deployed`, mend: deploy };
  const { status } = found;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok(status);
  if (status.endsWith('_IN_PROGRESS'))
    return problem(`${status}: another deployment would be refused`, 'wait until this one has ended');
  const [meaning, ...steps] = failureOf(found, {
    aws,
    deploy,
    undo: `npx cdk rollback -c stage=${stage.name}`,
  });
  return problem(`${status}: ${meaning}`, [`read ${aws('describe-stack-events')}`, ...steps].join(', then '));
};

/** Commands for a stack: of the AWS CLI, and the two of the CDK. */
interface Commands {
  readonly aws: (command: string) => string;
  readonly deploy: string;
  readonly undo: string;
}

/** What the status of a stack means after a failure, and the commands to run. Nothing tells to delete one with data. */
function failureOf(
  { status, isProtected }: DeployedStack,
  { aws, deploy, undo }: Commands,
): [meaning: string, ...steps: string[]] {
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return ['no deployment is possible', aws('continue-update-rollback')];
  if (/^(UPDATE|IMPORT)_ROLLBACK_COMPLETE$/.test(status))
    return ['the last deployment failed and was undone', deploy];
  // The CDK itself deletes such a stack before it creates it again (`isCreationFailure` in aws-cdk). But it has protected it
  // before it executed the first change set, and a protected stack is not deleted (CloudFormation User Guide, "Protect
  // CloudFormation stacks from being deleted").
  if (/^ROLLBACK_(COMPLETE|FAILED)$/.test(status)) {
    const unprotect = aws('update-termination-protection --no-enable-termination-protection');
    return ['the first deployment failed', ...(isProtected ? [unprotect] : []), deploy];
  }
  if (status === 'DELETE_FAILED') return ['the stack cannot be used', aws('delete-stack'), deploy];
  // Only a deployment with --no-rollback ends like this (CloudFormation API Reference, RollbackStack).
  if (/^(CREATE|UPDATE)_FAILED$/.test(status)) return ['the last deployment failed and was not undone', undo];
  return ['this status is not known here'];
}

export const drift: Question = async (subject) => {
  const StackName = (await deployed(subject)).name;
  const client = new CloudFormationClient(subject.settings);
  await detectDrift(client, StackName);
  const pages = paginateDescribeStackResourceDrifts(
    { client },
    { StackName, StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED'] },
  );
  const all = await readAll(pages, ({ StackResourceDrifts }) => StackResourceDrifts);
  // The account has one for each Region, whatever their number in templates: the newest stack has set it, and in all the
  // others it differs (CloudFormation Template Reference, AWS::ApiGateway::Account). "gateway logs" asks about it.
  const drifts = all.filter(({ ResourceType }) => ResourceType !== 'AWS::ApiGateway::Account');
  if (drifts.length === 0) return ok('everything is as the template says');
  return problem(
    `changed by hand: ${drifts.map(inWords).join(', ')}`,
    'docs/runbook-procedures.md#undo-a-change-by-hand',
  );
};

/** Detects drift, and waits for the end of the detection. @throws Error if it fails or takes too long */
async function detectDrift(client: CloudFormationClient, StackName: string): Promise<void> {
  const { StackDriftDetectionId } = await client.send(new DetectStackDriftCommand({ StackName }));
  const end = performance.now() + DETECTION_MS;
  for (let wait = PAUSE_MS.first; performance.now() < end; wait = Math.min(2 * wait, PAUSE_MS.longest)) {
    const { DetectionStatus: status, DetectionStatusReason: reason = 'no reason given' } = await client.send(
      new DescribeStatus({ StackDriftDetectionId }),
    );
    if (status === 'DETECTION_COMPLETE') return;
    if (status !== 'DETECTION_IN_PROGRESS') throw new Error(`${status}: ${reason}`);
    await pause(wait);
  }
  throw new Error('the detection has not ended in five minutes');
}

function inWords({ LogicalResourceId, StackResourceDriftStatus, PropertyDifferences }: StackResourceDrift) {
  const paths = (PropertyDifferences ?? []).map(({ PropertyPath }) => PropertyPath).join(' ');
  return `${LogicalResourceId} (${StackResourceDriftStatus === 'DELETED' ? 'deleted' : paths})`;
}
