import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { DescribeStackResourcesCommand, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { inPascalCase, stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings, failed } from '../shared/aws.ts';
import { cloudFormation } from '../shared/deployed-stack.ts';
import { type Loss, loss } from './losses.ts';

/** The logical ids of the role for the access logs, and of the Region's setting that names it. */
const ROLE = 'ApiCloudWatchRole';
const SETTING = 'ApiAccount';

/**
 * What the first deployment of a stage does to the role for the access logs: API Gateway has one for all APIs of a Region
 * (CloudFormation Template Reference, AWS::ApiGateway::Account).
 * @returns another team's role as a loss, and that of a copy of this service as a note; that of another stage, or of a deleted one, is ours
 * @throws PlainError if AWS does not say which role is set
 */
export async function gatewayRole(stage: Stage): Promise<{ losses: Loss[]; notes: string[] }> {
  const nothing = { losses: [], notes: [] };
  if (stage.hasGatewayRole) return nothing;
  const { cloudwatchRoleArn: role } = await new APIGatewayClient(clientSettings(stage))
    .send(new GetAccountCommand({}))
    .catch(failed("The role for the access logs of the Region's gateways cannot be looked up"));
  // CloudFormation names a role by its stack and its logical id, also one that it has left behind.
  const name = role?.split('/').at(-1);
  if (name === undefined || (name.startsWith(stackName('')) && name.includes(`-${ROLE}-`))) return nothing;
  const owner = await stackOf(stage, name);
  const whose = owner ? `of the stack ${owner.name}` : 'of no stack that is found in this Region';
  const line =
    `${SETTING} (AWS::ApiGateway::Account): the access logs of all APIs of this Region use the role ${role}, ${whose}. This deployment sets ours in its place. ` +
    'Agree with its owners; to keep theirs: hasGatewayRole: true for the stage.';
  return owner?.isCopy
    ? { losses: [], notes: [line] }
    : { losses: [loss(SETTING, 'changed', { role }, line)], notes: [] };
}

/** The stack that has a role, if it is in this Region, and whether it is of a copy of this service, by its tags. */
async function stackOf(stage: Stage, role: string) {
  const client = cloudFormation(stage);
  const none = () => undefined;
  // An error also if no stack has it.
  const found = await client
    .send(new DescribeStackResourcesCommand({ PhysicalResourceId: role }))
    .catch(none);
  const resource = found?.StackResources?.find(({ PhysicalResourceId }) => PhysicalResourceId === role);
  if (!resource?.StackName) return undefined;
  const StackName = resource.StackName;
  const described = await client.send(new DescribeStacksCommand({ StackName })).catch(none);
  const tags = new Map(described?.Stacks?.[0]?.Tags?.map(({ Key, Value }) => [Key, Value]));
  const isCopy =
    resource.LogicalResourceId === ROLE &&
    StackName === `${inPascalCase(tags.get('service') ?? '')}-${tags.get('stage')}`;
  return { name: StackName, isCopy };
}
