/**
 * The flags that Lambda starts Node with: 90 % of the memory for the old space, 5 % for a semi-space. Its `bootstrap` for
 * Node 24 is described in "Deep Dive into AWS Lambda (3): Official Node.js Runtime Analysis" (dev.to).
 * @param memory of the function, in megabytes
 */
export function lambdaFlags(memory: number): string[] {
  const young = Math.floor(memory / 10);
  return [
    '--expose-gc',
    '--max-http-header-size',
    '81920',
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memory - young}`,
  ];
}

/**
 * The variables that Lambda sets for a function of Node.js 24 ("Defined runtime environment variables" in the Lambda Developer
 * Guide), but for the names of its code and its log.
 * @param memory of the function, in megabytes
 */
export function lambdaVariables(memory: number) {
  return {
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_REGION: 'eu-west-1',
    AWS_DEFAULT_REGION: 'eu-west-1',
    // The example credentials of AWS's documentation, and a session token of the usual length.
    AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    AWS_SESSION_TOKEN: 'example-session-token-'.repeat(16),
    AWS_LAMBDA_FUNCTION_NAME: 'plants',
    AWS_LAMBDA_FUNCTION_VERSION: '7',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
  };
}
