// Names that both the stack and the tools need. Kept apart from the CDK's library, which takes a second to load.

/** The partition key of a table: its attribute, and DynamoDB's letter for the attribute's type. */
export interface TableKey {
  readonly name: string;
  readonly type: 'N' | 'S';
}

/** Plants are found by their id. Changing this replaces the table. */
export const PLANTS_KEY = { name: 'id', type: 'N' } as const satisfies TableKey;

/** Access tokens are found by the SHA-256 digest of the token. Changing this replaces the table. */
export const ACCESS_TOKENS_KEY = { name: 'digest', type: 'S' } as const satisfies TableKey;

/** When an access token expires, in seconds since the epoch; DynamoDB deletes the item some time later. */
export const ACCESS_TOKENS_TTL = 'expires';

/** The name of a stage's stack. */
export function stackName(stage: string): string {
  return `PlantStore-${stage}`;
}

/** The names of the stack's outputs, by which the tools find a deployed stage's tables. */
export const OUTPUTS = {
  baseUrl: 'BaseUrl',
  plantsTable: 'PlantsTable',
  accessTokensTable: 'AccessTokensTable',
  dashboard: 'DashboardLink',
  firstToken: 'FirstTokenCommand',
} as const;
