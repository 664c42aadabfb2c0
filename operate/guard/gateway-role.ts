import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { DescribeStackResourcesCommand, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GATEWAY_ROLE, inPascalCase } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings, failed } from '../shared/aws.ts';
import { cloudFormation } from '../shared/deployed-stack.ts';
import { gatewayRoleOf, roleName } from '../shared/gateway-role.ts';
import { type Loss, loss } from './losses.ts';

/** The logical id of the Region's setting that names the role. */
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
  if (role === undefined) return nothing;
  const family = gatewayRoleOf(role);
  if (family === 'ours') return nothing;
  const owner = await stackOf(stage, roleName(role));
  // Of a stack that is gone, no tags can be asked for.
  const isCopy = owner ? owner.isCopy : family === 'of a copy';
  const whose = owner ? `of the stack ${owner.name}` : 'of no stack that is found in this Region';
  const line =
    `${SETTING} (AWS::ApiGateway::Account): the access logs of all APIs of this Region use the role ${role}, ${whose}. This deployment sets ours in its place. ` +
    'Agree with its owners; to keep theirs: hasGatewayRole: true for the stage.';
  return isCopy
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
    resource.LogicalResourceId === GATEWAY_ROLE &&
    StackName === `${inPascalCase(tags.get('service') ?? '')}-${tags.get('stage')}`;
  return { name: StackName, isCopy };
}
