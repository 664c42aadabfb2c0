import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand as DescribeStatus,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
  type StackResourceDrift,
} from '@aws-sdk/client-cloudformation';
import { readAll } from '../stage/aws.ts';
import { deployed, ok, problem, type Question } from './question.ts';

/** How long a drift detection may take, in milliseconds. AWS says minutes for a large stack. */
const DETECTION_MS = 300_000;
/** The pauses between queries of its status, in milliseconds: the first one is doubled up to the longest. */
const PAUSE_MS = { first: 200, longest: 5_000 };

/** Statuses: CloudFormation User Guide, "Stack status codes". */
export const stackState: Question = async ({ stage, stack, stackName }) => {
  const deploy = `npx cdk deploy -c stage=${stage.name}`;
  const events = `aws cloudformation describe-stack-events --stack-name ${stackName}`;
  const status = (await stack)?.status;
  if (status === undefined) return ok(`${stackName} is not deployed; ${deploy}`);
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok(status);
  if (status.endsWith('_IN_PROGRESS'))
    return problem(`${status}: another deployment would be refused`, 'wait until this one has ended');
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return problem(
      `${status}: no deployment is possible`,
      `read ${events}, then aws cloudformation continue-update-rollback --stack-name ${stackName}`,
    );
  if (/^(UPDATE|IMPORT)_ROLLBACK_COMPLETE$/.test(status))
    return problem(`${status}: the last deployment failed and was undone`, `read ${events}, then ${deploy}`);
  return problem(`${status}: the stack cannot be used`, `read ${events}, delete the stack, then ${deploy}`);
};

export const drift: Question = async (subject) => {
  const StackName = (await deployed(subject)).name;
  const client = new CloudFormationClient(subject.settings);
  await detectDrift(client, StackName);
  const pages = paginateDescribeStackResourceDrifts(
    { client },
    { StackName, StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED'] },
  );
  const drifts = await readAll(pages, ({ StackResourceDrifts }) => StackResourceDrifts);
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
