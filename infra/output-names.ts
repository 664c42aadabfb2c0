/** The names of the stack's outputs; the tools find a deployed stage's tables by them. */
export const OUTPUTS = {
  baseUrl: 'BaseUrl',
  plantsTable: 'PlantsTable',
  accessTokensTable: 'AccessTokensTable',
  dashboard: 'DashboardLink',
  firstToken: 'FirstTokenCommand',
} as const;
