import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudFormationClient,
  type DescribeStackDriftDetectionStatusCommandOutput,
  DescribeStackDriftDetectionStatusCommand as DescribeStatus,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
  type StackResourceDrift,
  type StackResourceDriftStatus,
} from '@aws-sdk/client-cloudformation';
import { deployed, type Finding, ok, problem, type Question } from './question.ts';

/** How long a drift detection may take, in milliseconds. AWS says minutes for a large stack. */
const DETECTION_MS = 300_000;
/** The pauses between queries of its status, in milliseconds: the first one is doubled up to the longest. */
const PAUSE_MS = { first: 200, longest: 5_000 };

export const stackState: Question = {
  name: 'stack',
  async ask({ stage, stack, stackName }) {
    const found = await stack;
    const deploy = `npx cdk deploy -c stage=${stage.name}`;
    if (!found) return ok(`${stackName} is not deployed; ${deploy}`);
    return judgeStatus(found.status, stackName, deploy);
  },
};

/** Statuses: CloudFormation User Guide, "Stack status codes". */
function judgeStatus(status: string, stack: string, deploy: string): Finding {
  const events = `aws cloudformation describe-stack-events --stack-name ${stack}`;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok(status);
  if (status.endsWith('_IN_PROGRESS'))
    return problem(`${status}: another deployment would be refused`, 'wait until it has ended');
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return problem(
      `${status}: no deployment is possible`,
      `read ${events}, then aws cloudformation continue-update-rollback --stack-name ${stack}`,
    );
  if (/^(UPDATE|IMPORT)_ROLLBACK_COMPLETE$/.test(status))
    return problem(`${status}: the last deployment failed and was undone`, `read ${events}, then ${deploy}`);
  return problem(`${status}: the stack cannot be used`, `read ${events}, delete the stack, then ${deploy}`);
}

export const drift: Question = {
  name: 'drift',
  async ask(subject) {
    const { name } = await deployed(subject);
    const client = new CloudFormationClient(subject.settings);
    const { StackDriftDetectionId: id } = await client.send(new DetectStackDriftCommand({ StackName: name }));
    const { DetectionStatus, DetectionStatusReason } = await detected(client, id);
    if (DetectionStatus !== 'DETECTION_COMPLETE')
      throw new Error(`${DetectionStatus}: ${DetectionStatusReason ?? 'no reason given'}`);
    const drifts: StackResourceDrift[] = [];
    const changed: StackResourceDriftStatus[] = ['MODIFIED', 'DELETED'];
    for await (const page of paginateDescribeStackResourceDrifts(
      { client },
      { StackName: name, StackResourceDriftStatusFilters: changed },
    ))
      drifts.push(...(page.StackResourceDrifts ?? []));
    if (drifts.length === 0) return ok('everything is as the template says');
    return problem(
      `changed by hand: ${drifts.map(inWords).join(', ')}`,
      'docs/runbook.md#undo-a-change-by-hand',
    );
  },
};

async function detected(
  client: CloudFormationClient,
  id: string | undefined,
): Promise<DescribeStackDriftDetectionStatusCommandOutput> {
  const end = performance.now() + DETECTION_MS;
  for (let wait = PAUSE_MS.first; performance.now() < end; wait = Math.min(2 * wait, PAUSE_MS.longest)) {
    const state = await client.send(new DescribeStatus({ StackDriftDetectionId: id }));
    if (state.DetectionStatus !== 'DETECTION_IN_PROGRESS') return state;
    await pause(wait);
  }
  throw new Error('the detection has not ended in five minutes');
}

function inWords({ LogicalResourceId, StackResourceDriftStatus, PropertyDifferences }: StackResourceDrift) {
  const paths = (PropertyDifferences ?? []).map(({ PropertyPath }) => PropertyPath).join(' ');
  return `${LogicalResourceId} (${StackResourceDriftStatus === 'DELETED' ? 'deleted' : paths})`;
}
