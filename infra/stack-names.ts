import type { StageName } from './stages.ts';

/** The name of a stage's stack in CloudFormation. */
export function stackName(stage: StageName): string {
  return `PlantStore-${stage}`;
}

/** The names of the stack's outputs. The tools find the tables of a deployed stage by them. */
export const OUTPUTS = {
  baseUrl: 'BaseUrl',
  plantsTable: 'PlantsTable',
  accessTokensTable: 'AccessTokensTable',
  dashboard: 'DashboardLink',
  firstToken: 'FirstTokenCommand',
} as const;
