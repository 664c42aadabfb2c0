import { GATEWAY_TIMEOUT_MS, LAMBDA_TIMEOUT_MS } from '../../../lambda/limits.ts';
import { type Deployed, type Json, only, resources } from '../deployed.ts';
import { broken, each, type Policy, same } from './policy.ts';

const FUNCTION = 'AWS::Lambda::Function';
const POLICY = 'AWS::IAM::Policy';
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

/** All statements of all policies written into the template, as [role, actions, resources, effect]. */
function statements(deployed: Deployed): Json[] {
  const policies = resources(deployed, POLICY).map(([, { Properties }]) => Properties);
  const inline = resources(deployed, 'AWS::IAM::Role').flatMap(
    ([, { Properties }]) => Properties.Policies ?? [],
  );
  return [...policies, ...inline].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** What the function's role may do, as readable lines in the order of the alphabet. */
function rights(deployed: Deployed): string[] {
  return statements(deployed)
    .map(
      ({ Effect, Action, Resource }) => `${Effect} ${[Action].flat().sort()} on ${JSON.stringify(Resource)}`,
    )
    .sort();
}

export const functionPolicies: Policy[] = [
  {
    says: 'the function runs on nodejs24.x on arm64, with 512 MB or more, traced, and with its own time-out',
    violations: (deployed) =>
      each(deployed, FUNCTION, ({ Properties }) => ({
        'runtime nodejs24.x': Properties.Runtime === 'nodejs24.x',
        arm64: same(Properties.Architectures, ['arm64']),
        '512 MB or more': Properties.MemorySize >= 512,
        'X-Ray': Properties.TracingConfig?.Mode === 'Active',
        'the handler of the bundle': Properties.Handler === 'handler.handler',
        'the time-out of limits.ts': Properties.Timeout * 1_000 === LAMBDA_TIMEOUT_MS,
        'a time-out before the gateway': Properties.Timeout * 1_000 < GATEWAY_TIMEOUT_MS,
        'the concurrency of the stage':
          Properties.ReservedConcurrentExecutions === deployed.stage.concurrency,
      })),
    mutations: [
      (d) => {
        only(d, FUNCTION).Properties.Runtime = 'nodejs22.x';
      },
      (d) => delete only(d, FUNCTION).Properties.Architectures,
      (d) => {
        only(d, FUNCTION).Properties.MemorySize = 128;
      },
      (d) => {
        only(d, FUNCTION).Properties.Timeout = 29;
      },
      (d) => {
        only(d, FUNCTION).Properties.ReservedConcurrentExecutions = 1_000;
      },
    ],
  },
  {
    says: 'the function gets the names of both tables and nothing else: no endpoint, no secret',
    violations: (deployed) =>
      each(deployed, FUNCTION, ({ Properties }) => ({
        'exactly these variables': same(Properties.Environment?.Variables, {
          PLANTS_TABLE: { Ref: 'PlantsF7D2F15D' },
          ACCESS_TOKENS_TABLE: { Ref: 'AccessTokensB65260D5' },
        }),
      })),
    mutations: [
      (d) => {
        only(d, FUNCTION).Properties.Environment.Variables.AWS_ENDPOINT_URL_DYNAMODB = 'http://localhost';
      },
    ],
  },
  {
    says: 'the function logs JSON to a log group of this template, its own lines from INFO and Lambda from WARN',
    violations: (deployed) =>
      each(deployed, FUNCTION, ({ Properties: { LoggingConfig = {} } }) => ({
        JSON: LoggingConfig.LogFormat === 'JSON',
        'its lines are INFO': LoggingConfig.ApplicationLogLevel === 'INFO',
        'reports of failures': LoggingConfig.SystemLogLevel === 'WARN',
        'a log group of this template':
          deployed.template.Resources[LoggingConfig.LogGroup?.Ref]?.Type === 'AWS::Logs::LogGroup',
      })),
    mutations: [
      (d) => {
        only(d, FUNCTION).Properties.LoggingConfig.LogFormat = 'Text';
      },
      (d) => {
        only(d, FUNCTION).Properties.LoggingConfig.ApplicationLogLevel = 'WARN';
      },
      (d) => delete only(d, FUNCTION).Properties.LoggingConfig.LogGroup,
    ],
  },
  {
    says: 'the function may put plants, get access tokens, write its own log and send traces, and nothing else',
    violations: (deployed) => [
      ...broken(
        {
          'exactly these four rights': same(rights(deployed), [
            `Allow dynamodb:GetItem on ${JSON.stringify(arnOf('AccessTokensB65260D5'))}`,
            `Allow dynamodb:PutItem on ${JSON.stringify(arnOf('PlantsF7D2F15D'))}`,
            `Allow logs:CreateLogStream,logs:PutLogEvents on ${JSON.stringify(arnOf('FunctionLogsAE28C13D'))}`,
            'Allow xray:PutTelemetryRecords,xray:PutTraceSegments on "*"',
          ]),
        },
        'policies',
      ),
      ...each(deployed, FUNCTION, ({ Properties }) => {
        const role = Properties.Role['Fn::GetAtt'][0];
        return {
          'a role with no managed policy':
            deployed.template.Resources[role]?.Properties.ManagedPolicyArns === undefined,
          'a role of its own': only(deployed, POLICY).Properties.Roles[0].Ref === role,
        };
      }),
    ],
    mutations: [
      (d) => (statements(d).find(({ Action }) => Action === 'dynamodb:PutItem').Action = 'dynamodb:*'),
      (d) => (statements(d).find(({ Action }) => Action === 'dynamodb:GetItem').Resource = '*'),
      (d) =>
        only(d, POLICY).Properties.PolicyDocument.Statement.push({
          Effect: 'Allow',
          Action: 's3:GetObject',
          Resource: '*',
        }),
      (d) => {
        const role = only(d, FUNCTION).Properties.Role['Fn::GetAtt'][0];
        Object.assign(d.template.Resources[role]?.Properties, { ManagedPolicyArns: ['AdministratorAccess'] });
      },
    ],
  },
];
