import { differ, every, find, type Policy, placeOf } from './policy.ts';

/** The name of an asset's file in the bucket of `cdk bootstrap`: the hash of its content. */
const ASSET = /^[0-9a-f]{64}\.zip$/;

export const functionPolicies: Policy[] = [
  {
    says: 'the function has nodejs24.x on arm64, 1,024 MB, 6 s, tracing, JSON logs, and no endpoint or secret',
    violations: (synth) => {
      const { allowedOrigins, concurrency, startScript } = synth.stage;
      const { account, region } = placeOf(synth.stage);
      return every(synth, 'AWS::Lambda::Function', ({ Code }) => ({
        Architectures: ['arm64'],
        Code: {
          S3Bucket: `cdk-hnb659fds-assets-${account}-${region}`,
          S3Key: ASSET.test(Code?.S3Key) ? Code.S3Key : 'the name of an asset',
        },
        Environment: {
          Variables: {
            ACCESS_TOKENS_TABLE: '{AccessTokens}',
            ALLOWED_ORIGINS: allowedOrigins?.join(' '),
            AWS_LAMBDA_EXEC_WRAPPER:
              startScript === false || process.platform === 'win32' ? undefined : '/var/task/start-script.sh',
            PLANTS_TABLE: '{Plants}',
          },
        },
        Handler: 'handler.handler',
        LoggingConfig: {
          ApplicationLogLevel: 'INFO',
          LogFormat: 'JSON',
          LogGroup: '{FunctionLogs}',
          SystemLogLevel: 'WARN',
        },
        // docs/scaling.md assumes this size.
        MemorySize: 1_024,
        ReservedConcurrentExecutions: concurrency,
        Role: '{FunctionRole.Arn}',
        Runtime: 'nodejs24.x',
        // The early response is sent at 5.5 s; the gateway times out at 29 s.
        Timeout: 6,
        TracingConfig: { Mode: 'Active' },
      }));
    },
  },
  {
    says: 'the description of the function names the stage',
    violations: (synth) =>
      find(synth, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) =>
        differ(id, Properties.Description, `Plant Store ${synth.stage.name}: POST /plants`),
      ),
  },
  {
    says: 'the alias live is the current version',
    violations: (synth) => [
      ...every(synth, 'AWS::Lambda::Version', { FunctionName: '{Function}' }),
      ...every(synth, 'AWS::Lambda::Alias', {
        FunctionName: '{Function}',
        FunctionVersion: '{FunctionCurrentVersion.Version}',
        Name: 'live',
      }),
    ],
  },
  {
    says: 'every log group has the retention of the stage',
    violations: (synth) => every(synth, 'AWS::Logs::LogGroup', { RetentionInDays: synth.stage.logDays }),
  },
];
