import { GATEWAY_ROLE, stackName } from '../../infra/stack-names.ts';

/**
 * CloudFormation names a role by its stack and its logical id, also one that it has left behind. The stacks of a copy have names like ours, and
 * no logical id has the CDK's hash (infra/named-stack.ts).
 */
const OF_A_STAGE = new RegExp(`^([A-Z][0-9A-Za-z]*-)[a-z][0-9a-z-]*-${GATEWAY_ROLE}-[0-9A-Za-z]+$`);

/** The name of a role. @param role its ARN, which may have a path */
export const roleName = (role: string) => role.split('/').at(-1) ?? '';

/** Whose role for access logs it is, by its name: of a stage of this service, or perhaps of a copy; it may be deleted. */
export function gatewayRoleOf(role: string): 'ours' | 'of a copy' | undefined {
  const [, service] = OF_A_STAGE.exec(roleName(role)) ?? [];
  if (service === undefined) return undefined;
  return service === stackName('') ? 'ours' : 'of a copy';
}
