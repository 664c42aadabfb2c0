import { join } from 'node:path';

/** The Region of every subject. */
export const REGION = 'eu-west-1';

/** The example credentials of AWS's documentation. */
export const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: 'example-session-token-'.repeat(16),
};

/** In megabytes; that of the stack when the published figures were measured. */
export const MEMORY_SIZE = 512;

/** The variables that Lambda sets, without this machine's own: no home folder, no endpoint. */
export function lambdaEnvironment(): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_SESSION_TOKEN: CREDENTIALS.sessionToken,
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0]}.x`,
    AWS_LAMBDA_FUNCTION_NAME: 'plant-store',
    AWS_LAMBDA_FUNCTION_VERSION: '1',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MEMORY_SIZE),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    _X_AMZN_TRACE_ID: 'Root=1-67891233-abcdef012345678912345678;Parent=53995c3f42cd8ad8;Sampled=0',
    PLANTS_TABLE: 'Plants',
    ACCESS_TOKENS_TABLE: 'AccessTokens',
  };
}

/** How Lambda starts Node: `plain`, with all of its flags; `script`, through {@link START_SCRIPT}. */
export type Start = 'plain' | 'script';

/** The deployed start script, which passes on every flag but `--expose-gc`. */
export const START_SCRIPT = join(import.meta.dirname, '../../lambda/start-script.sh');
