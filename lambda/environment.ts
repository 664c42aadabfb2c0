/** The names of the environment variables that the function reads. */
export const ENVIRONMENT = {
  /** The name of the table of plants. */
  plantsTable: 'PLANTS_TABLE',
  /** The name of the table of access tokens. */
  accessTokensTable: 'ACCESS_TOKENS_TABLE',
  /** The endpoint of the store, if it is not the Region's DynamoDB. All AWS SDKs read this variable. Unset in AWS. */
  endpoint: 'AWS_ENDPOINT_URL_DYNAMODB',
  /** The origins whose pages may read the responses, separated by spaces; `*` for any; unset for none. */
  allowedOrigins: 'ALLOWED_ORIGINS',
  /** Set by the Lambda runtime: the version of the running function. */
  functionVersion: 'AWS_LAMBDA_FUNCTION_VERSION',
  /** Set by the Lambda runtime for each invocation: the tracing header of the request. */
  traceHeader: '_X_AMZN_TRACE_ID',
} as const;

/**
 * Reads a required variable.
 * @throws Error naming the variable when it is unset or empty
 */
export function requireVariable(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
