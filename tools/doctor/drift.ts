import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand as DescribeStatus,
  type DescribeStackDriftDetectionStatusOutput as Detection,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
  type StackResourceDrift,
} from '@aws-sdk/client-cloudformation';
import { readAll } from '../../operate/deployed/aws.ts';
import { deployed, given, ok, problem, type Question } from './question.ts';

/** How long a drift detection may take, in milliseconds. AWS says minutes for a large stack. */
const DETECTION_MS = 300_000;
/** The pauses between queries of its status, in milliseconds: the first one is doubled up to the longest. */
const PAUSE_MS = { first: 200, longest: 5_000 };

/** The statuses of resources that were compared, and of those that cannot be (CloudFormation API Reference, StackResourceDrift). */
const KNOWN: readonly unknown[] = ['IN_SYNC', 'MODIFIED', 'DELETED', 'NOT_CHECKED', 'UNSUPPORTED'];

/** Whether the resources are as the template says. "ok" needs the status of the stack and those of its resources. */
export const drift: Question = async (subject) => {
  const stack = await deployed(subject);
  const client = new CloudFormationClient(subject.settings);
  const detection = await detectDrift(client, stack.name);
  const pages = paginateDescribeStackResourceDrifts({ client }, { StackName: stack.name });
  const checked = await readAll(pages, (page) => given(page.StackResourceDrifts, 'StackResourceDrifts'));
  const changed = checked.filter(({ StackResourceDriftStatus: is }) => is === 'MODIFIED' || is === 'DELETED');
  // The account has one for each Region, whatever their number in templates: the newest stack has set it, and in all the
  // others it differs (CloudFormation Template Reference, AWS::ApiGateway::Account). "gateway logs" asks about it.
  const own = changed.filter(({ ResourceType }) => ResourceType !== 'AWS::ApiGateway::Account');
  const says = `changed by hand: ${own.map(inWords).join(', ')}`;
  if (own.length > 0) return problem(says, 'docs/recover.md#undo-a-change-by-hand');
  requireAgreement(detection, checked, changed.length);
  const same = checked.filter(({ StackResourceDriftStatus: is }) => is === 'IN_SYNC').length;
  const all = (await stack.resources()).length;
  if (same === 0 || same > all) throw new Error(`CloudFormation compared ${same} of ${all} resources`);
  return ok(`${same} of ${all} resources are as the template says; CloudFormation compares no others`);
};

/**
 * The stack's status may be UNKNOWN, as when a resource cannot be read, or contradict those of its resources.
 * @throws Error that says what is not known
 */
function requireAgreement(
  { StackDriftStatus, DriftedStackResourceCount, DetectionStatusReason }: Detection,
  checked: readonly StackResourceDrift[],
  changed: number,
): void {
  const isKnown = checked.every(({ StackResourceDriftStatus: is }) => KNOWN.includes(is));
  const isWhole = StackDriftStatus === (changed === 0 ? 'IN_SYNC' : 'DRIFTED') && isKnown;
  if (isWhole && DriftedStackResourceCount === changed) return;
  const found = `CloudFormation says ${StackDriftStatus} with ${DriftedStackResourceCount} changed resources, and lists ${changed}`;
  const reasons = checked.map(
    (each) => each.DriftStatusReason && `${each.LogicalResourceId}: ${each.DriftStatusReason}`,
  );
  throw new Error([found, DetectionStatusReason, ...reasons].filter(Boolean).join('; '));
}

/** Detects drift. @returns the status of the detection after its end @throws Error if it fails or takes too long */
async function detectDrift(client: CloudFormationClient, StackName: string): Promise<Detection> {
  const started = await client.send(new DetectStackDriftCommand({ StackName }));
  const StackDriftDetectionId = given(started.StackDriftDetectionId, 'StackDriftDetectionId');
  const end = performance.now() + DETECTION_MS;
  for (let wait = PAUSE_MS.first; performance.now() < end; wait = Math.min(2 * wait, PAUSE_MS.longest)) {
    const detection = await client.send(new DescribeStatus({ StackDriftDetectionId }));
    const { DetectionStatus: status, DetectionStatusReason: reason = 'no reason given' } = detection;
    if (status === 'DETECTION_COMPLETE') return detection;
    if (status !== 'DETECTION_IN_PROGRESS') throw new Error(`${status}: ${reason}`);
    await pause(wait);
  }
  throw new Error('the detection has not ended in five minutes');
}

function inWords({ LogicalResourceId, StackResourceDriftStatus, PropertyDifferences }: StackResourceDrift) {
  const paths = (PropertyDifferences ?? []).map(({ PropertyPath }) => PropertyPath).join(' ');
  return `${LogicalResourceId} (${StackResourceDriftStatus === 'DELETED' ? 'deleted' : paths})`;
}
