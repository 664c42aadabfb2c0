import { type Json, only, resources, type Synth } from '../synth.ts';
import { broken, change, each, type Policy } from './policy.ts';

const FUNCTION = 'AWS::Lambda::Function';
const POLICY = 'AWS::IAM::Policy';
const arnOf = (id: string) => JSON.stringify({ 'Fn::GetAtt': [id, 'Arn'] });

/** What the template's IAM policies allow or deny, as sorted lines. */
function permissions(synth: Synth): string[] {
  const policies = resources(synth, POLICY).map(([, { Properties }]) => Properties);
  const inline = resources(synth, 'AWS::IAM::Role').flatMap(
    ([, { Properties }]) => Properties.Policies ?? [],
  );
  const statements: Json[] = [...policies, ...inline].flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
  return statements
    .map(
      ({ Effect, Action, Resource }) => `${Effect} ${[Action].flat().sort()} on ${JSON.stringify(Resource)}`,
    )
    .sort();
}

export const functionPolicies: Policy[] = [
  {
    says: 'the function runs on nodejs24.x on arm64 with 1,024 MB and 6 s, traced',
    violations: (synth) =>
      each(synth, FUNCTION, ({ Properties }) => ({
        Runtime: [Properties.Runtime, 'nodejs24.x'],
        Architectures: [Properties.Architectures, ['arm64']],
        // docs/costs.md assumes this size.
        MemorySize: [Properties.MemorySize, 1_024],
        TracingConfig: [Properties.TracingConfig, { Mode: 'Active' }],
        Handler: [Properties.Handler, 'handler.handler'],
        // The early answer is sent at 5.5 s; the gateway times out at 29 s.
        Timeout: [Properties.Timeout, 6],
        ReservedConcurrentExecutions: [Properties.ReservedConcurrentExecutions, synth.stage.concurrency],
      })),
    mutations: [
      change(FUNCTION, 'Properties.Runtime', 'nodejs22.x'),
      change(FUNCTION, 'Properties.Architectures'),
      change(FUNCTION, 'Properties.MemorySize', 512),
      change(FUNCTION, 'Properties.Timeout', 29),
      change(FUNCTION, 'Properties.ReservedConcurrentExecutions', 1_000),
      change(FUNCTION, 'Properties.TracingConfig'),
    ],
  },
  {
    says: 'the function gets the names of both tables and the allowed origins of the stage: no endpoint, no secret',
    violations: (synth) =>
      each(synth, FUNCTION, ({ Properties }) => ({
        Environment: [
          Properties.Environment?.Variables,
          {
            PLANTS_TABLE: { Ref: 'PlantsF7D2F15D' },
            ACCESS_TOKENS_TABLE: { Ref: 'AccessTokensB65260D5' },
            ...(synth.stage.allowedOrigins && { ALLOWED_ORIGINS: synth.stage.allowedOrigins.join(' ') }),
          },
        ],
      })),
    mutations: [
      change(FUNCTION, 'Properties.Environment.Variables.AWS_ENDPOINT_URL_DYNAMODB', 'http://localhost'),
      change(FUNCTION, 'Properties.Environment.Variables.ALLOWED_ORIGINS', '*'),
    ],
  },
  {
    says: 'the function logs JSON to its log group: its own lines from INFO, Lambda system lines from WARN',
    violations: (synth) =>
      each(synth, FUNCTION, ({ Properties }) => ({
        LoggingConfig: [
          Properties.LoggingConfig,
          {
            LogFormat: 'JSON',
            ApplicationLogLevel: 'INFO',
            SystemLogLevel: 'WARN',
            LogGroup: { Ref: 'FunctionLogsAE28C13D' },
          },
        ],
      })),
    mutations: [
      change(FUNCTION, 'Properties.LoggingConfig.LogFormat', 'Text'),
      change(FUNCTION, 'Properties.LoggingConfig.ApplicationLogLevel', 'WARN'),
      change(FUNCTION, 'Properties.LoggingConfig.LogGroup'),
    ],
  },
  {
    says: 'the function may put plants, get access tokens, write its own log and send traces, and nothing else',
    violations: (synth) => [
      ...broken('policies', {
        permissions: [
          permissions(synth),
          [
            `Allow dynamodb:GetItem on ${arnOf('AccessTokensB65260D5')}`,
            `Allow dynamodb:PutItem on ${arnOf('PlantsF7D2F15D')}`,
            `Allow logs:CreateLogStream,logs:PutLogEvents on ${arnOf('FunctionLogsAE28C13D')}`,
            'Allow xray:PutTelemetryRecords,xray:PutTraceSegments on "*"',
          ],
        ],
      }),
      ...each(synth, FUNCTION, ({ Properties }) => {
        const role = Properties.Role['Fn::GetAtt'][0];
        return {
          'managed policies': [synth.template.Resources[role]?.Properties.ManagedPolicyArns, undefined],
          'role with the policies': [only(synth, POLICY).Properties.Roles, [{ Ref: role }]],
        };
      }),
    ],
    mutations: [
      change(POLICY, 'Properties.PolicyDocument.Statement.0.Action', 'dynamodb:*'),
      change(POLICY, 'Properties.PolicyDocument.Statement.1.Resource', '*'),
      change(POLICY, 'Properties.PolicyDocument.Statement.4', {
        Effect: 'Allow',
        Action: 's3:GetObject',
        Resource: '*',
      }),
      change('FunctionRole', 'Properties.ManagedPolicyArns', ['AdministratorAccess']),
    ],
  },
];
