// The names of a stage's stack and of what is in it, in a module without the CDK library, which takes a second to load: the tools need
// them, too.

/** The alias of the function that the gateway calls, and that a deployment moves to a new version. */
export const ALIAS = 'live';

/** The name of a stage's stack, of its API, sampling rule and dashboard; the names of its alarms begin with it. */
export function stackName(stage: string): string {
  return `PlantStore-${stage}`;
}

/** The logical id of the role for the access logs, one for all gateways of a Region. */
export const GATEWAY_ROLE = 'ApiCloudWatchRole';

/** How the names of a stage's queries begin: CloudWatch shows the parts before a slash as folders. */
export function queryFolder(stage: string): string {
  return `PlantStore/${stage}/`;
}

/** The names of the stack's outputs. The tools use them to find the tables of a deployed stage. */
export const OUTPUTS = {
  baseUrl: 'BaseUrl',
  plantsTable: 'PlantsTable',
  accessTokensTable: 'AccessTokensTable',
  firstToken: 'FirstTokenCommand',
} as const;

/** A name as a part of a logical id, which has no hyphens: `dev-anna` becomes `DevAnna`. */
export function inPascalCase(name: string): string {
  return name.replace(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase());
}
