// Names that both the stack and the tools need, in a module without the CDK library, which takes a second to load.

/** The partition key of a table: its attribute, and DynamoDB's letter for the type of the attribute. */
export interface TableKey {
  readonly name: string;
  readonly type: 'N' | 'S';
}

/** The key of a plant is its id. Changing this replaces the table. */
export const PLANTS_KEY = { name: 'id', type: 'N' } as const satisfies TableKey;

/** The key of an access token is its SHA-256 digest. Changing this replaces the table. */
export const ACCESS_TOKENS_KEY = { name: 'digest', type: 'S' } as const satisfies TableKey;

/** When an access token expires, in seconds since the epoch; DynamoDB deletes the item some time later. */
export const ACCESS_TOKENS_TTL = 'expires';

/** The alias of the function that the gateway calls, and that a deployment moves to a new version. */
export const ALIAS = 'live';

/** The name of a stage's stack, of its API, sampling rule and dashboard; the names of its alarms begin with it. */
export function stackName(stage: string): string {
  return `PlantStore-${stage}`;
}

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
