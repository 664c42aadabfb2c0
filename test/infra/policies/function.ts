import { type Json, resources, type Synth, textOf } from '../synth.ts';
import { differ, every, type Policy } from './policy.ts';

const FUNCTION = 'AWS::Lambda::Function';
const POLICY = 'AWS::IAM::Policy';

/** What the template's IAM policies allow or deny, as sorted lines. */
function permissions(synth: Synth): string[] {
  const policies = resources(synth, POLICY).map(([, { Properties }]) => Properties);
  const inline = resources(synth, 'AWS::IAM::Role').flatMap(([, role]) => role.Properties.Policies ?? []);
  return [...policies, ...inline]
    .flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement)
    .map(({ Effect, Action, Resource }) => `${Effect} ${[Action].flat().sort()} on ${textOf(Resource)}`)
    .sort();
}

export const functionPolicies: Policy[] = [
  {
    says: 'the function has nodejs24.x on arm64, 1,024 MB, a time-out of 6 s, tracing, and JSON logs in its log group',
    violations: (synth) =>
      every(synth, FUNCTION, {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        // docs/costs.md assumes this size.
        MemorySize: 1_024,
        TracingConfig: { Mode: 'Active' },
        Handler: 'handler.handler',
        // The early answer is sent at 5.5 s; the gateway times out at 29 s.
        Timeout: 6,
        ReservedConcurrentExecutions: synth.stage.concurrency,
        'LoggingConfig.LogFormat': 'JSON',
        'LoggingConfig.ApplicationLogLevel': 'INFO',
        'LoggingConfig.SystemLogLevel': 'WARN',
        'LoggingConfig.LogGroup': { Ref: 'FunctionLogsAE28C13D' },
      }),
    mutants: [
      [FUNCTION, 'Runtime', 'nodejs22.x'],
      [FUNCTION, 'Architectures'],
      [FUNCTION, 'MemorySize', 512],
      [FUNCTION, 'Timeout', 29],
      [FUNCTION, 'ReservedConcurrentExecutions', 1_000],
      [FUNCTION, 'TracingConfig'],
      [FUNCTION, 'LoggingConfig.LogFormat', 'Text'],
      [FUNCTION, 'LoggingConfig.ApplicationLogLevel', 'WARN'],
      [FUNCTION, 'LoggingConfig.LogGroup'],
    ],
  },
  {
    says: 'the environment has only the names of both tables and the allowed origins: no endpoint, no secret',
    violations: (synth) =>
      every(synth, FUNCTION, {
        'Environment.Variables': {
          PLANTS_TABLE: { Ref: 'PlantsF7D2F15D' },
          ACCESS_TOKENS_TABLE: { Ref: 'AccessTokensB65260D5' },
          ...(synth.stage.allowedOrigins && { ALLOWED_ORIGINS: synth.stage.allowedOrigins.join(' ') }),
        },
      }),
    mutants: [
      [FUNCTION, 'Environment.Variables.AWS_ENDPOINT_URL_DYNAMODB', 'http://localhost'],
      [FUNCTION, 'Environment.Variables.ALLOWED_ORIGINS', '*'],
    ],
  },
  {
    says: 'the function may put plants, get access tokens, write its own log and send traces, and nothing else',
    violations: (synth) => [
      ...differ('list of permissions', permissions(synth), [
        'Allow dynamodb:GetItem on {AccessTokensB65260D5.Arn}',
        'Allow dynamodb:PutItem on {PlantsF7D2F15D.Arn}',
        'Allow logs:CreateLogStream,logs:PutLogEvents on {FunctionLogsAE28C13D.Arn}',
        'Allow xray:PutTelemetryRecords,xray:PutTraceSegments on *',
      ]),
      ...every(synth, FUNCTION, { Role: { 'Fn::GetAtt': ['FunctionRole111A5701', 'Arn'] } }),
      ...every(synth, 'FunctionRole', { ManagedPolicyArns: undefined }),
      ...every(synth, POLICY, { Roles: [{ Ref: 'FunctionRole111A5701' }] }),
    ],
    mutants: [
      [POLICY, 'PolicyDocument.Statement.0.Action', 'dynamodb:*'],
      [POLICY, 'PolicyDocument.Statement.1.Resource', '*'],
      [POLICY, 'PolicyDocument.Statement.4', { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
      ['FunctionRole', 'ManagedPolicyArns', ['AdministratorAccess']],
    ],
  },
];
