import { type Json, resources } from '../synth.ts';
import { broken, change, each, type Mutation, type Policy } from './policy.ts';

const LOG_GROUP = 'AWS::Logs::LogGroup';
const POLICY = 'AWS::IAM::Policy';
const API_STAGE = 'AWS::ApiGateway::Stage';

export const stackPolicies: Policy[] = [
  {
    says: 'only a protected stage has termination protection, and every stage has its tags',
    violations: ({ stage, stack }) =>
      broken('stack', {
        'termination protection': [stack.terminationProtection, stage.isProtected],
        tags: [stack.tags, { service: 'plant-store', stage: stage.name }],
      }),
    mutations: [
      ({ stack }) => Object.assign(stack, { terminationProtection: !stack.terminationProtection }),
      ({ stack }) => delete stack.tags.service,
      ({ stack }) => Object.assign(stack, { tags: {} }),
    ],
  },
  {
    says: 'every log group has the retention of the stage; a protected stage keeps it when the stack is deleted',
    violations: (synth) =>
      each(synth, LOG_GROUP, ({ Properties, DeletionPolicy }) => ({
        retention: [Properties?.RetentionInDays, synth.stage.logDays],
        DeletionPolicy: [DeletionPolicy, synth.stage.isProtected ? 'Retain' : 'Delete'],
      })),
    mutations: [
      change(LOG_GROUP, 'Properties.RetentionInDays'),
      change('AccessLogs', 'DeletionPolicy'),
      change('FunctionLogs', 'DeletionPolicy'),
    ],
  },
  {
    // Minimum values, because operators may change those in the stage file.
    says: 'a stage allows at least 10 requests a second; a protected one 100, keeps logs for 30 days and has a canary',
    violations: (synth) => {
      const { isProtected } = synth.stage;
      return [
        ...each(synth, API_STAGE, ({ Properties: { MethodSettings } }) => {
          const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = MethodSettings[0];
          return {
            [`the rate of ${rate} is enough`]: rate >= (isProtected ? 100 : 10),
            [`the burst of ${burst} is at least the rate`]: burst >= rate,
          };
        }),
        ...each(synth, LOG_GROUP, ({ Properties: { RetentionInDays: days } }) => ({
          [`${days} days of logs are enough`]: days >= (isProtected ? 30 : 7),
        })),
        ...each(
          synth,
          'AWS::CodeDeploy::DeploymentGroup',
          ({ Properties: { DeploymentConfigName: way } }) => ({
            [`${way} is a canary`]: !isProtected || /Canary10Percent(10|15|30)Minutes$/.test(way),
          }),
        ),
      ];
    },
    mutations: [
      change(API_STAGE, 'Properties.MethodSettings.0.ThrottlingRateLimit', 5),
      change(API_STAGE, 'Properties.MethodSettings.0.ThrottlingBurstLimit', 5),
      change(LOG_GROUP, 'Properties.RetentionInDays', 1),
    ],
  },
  {
    says: 'no policy allows every action, and only traces are allowed on every resource',
    violations: (synth) =>
      each(synth, POLICY, ({ Properties }) => {
        const allowed: Json[] = Properties.PolicyDocument.Statement.filter(
          ({ Effect }: Json) => Effect === 'Allow',
        );
        const onAll = allowed.filter(({ Resource }) => [Resource].flat().includes('*'));
        const actions = (statements: Json[]): string[] => statements.flatMap(({ Action }) => Action);
        return {
          'actions with a wildcard': [actions(allowed).filter((name) => name.includes('*')), []],
          'actions on every resource': [actions(onAll).filter((name) => !name.startsWith('xray:')), []],
        };
      }),
    mutations: [
      change(POLICY, 'Properties.PolicyDocument.Statement.0.Action', 'dynamodb:*'),
      change(POLICY, 'Properties.PolicyDocument.Statement.0.Resource', '*'),
    ],
  },
  {
    says: 'the outputs are base URL, tables, dashboard and the command for the first token',
    violations: ({ stage, template: { Outputs } }) => {
      const text = (name: string) => JSON.stringify(Outputs[name]?.Value ?? '');
      return broken('outputs', {
        names: [
          Object.keys(Outputs),
          ['BaseUrl', 'PlantsTable', 'AccessTokensTable', 'DashboardLink', 'FirstTokenCommand'],
        ],
        'the base URL has no trailing slash': /^.*https:\/\/.*[a-z0-9]"[\]}]*$/.test(text('BaseUrl')),
        AccessTokensTable: [Outputs.AccessTokensTable?.Value, { Ref: 'AccessTokensB65260D5' }],
        PlantsTable: [Outputs.PlantsTable?.Value, { Ref: 'PlantsF7D2F15D' }],
        FirstTokenCommand: [
          Outputs.FirstTokenCommand?.Value,
          `npm run token -- issue first --stage ${stage.name}`,
        ],
        'the link is to the dashboard': text('DashboardLink').includes('Dashboard9E4231ED'),
      });
    },
    mutations: [
      ({ template }) => delete template.Outputs.BaseUrl,
      ({ template }) => Object.assign(template.Outputs.FirstTokenCommand, { Value: 'npm run token' }),
      ({ template }) => Object.assign(template.Outputs.BaseUrl, { Value: 'https://example.com/' }),
      ({ template }) => Object.assign(template.Outputs.DashboardLink, { Value: 'https://example.com' }),
    ],
  },
  {
    says: 'a protected stage keeps every published version of the function for a rollback',
    violations: (synth) =>
      each(synth, 'AWS::Lambda::Version', ({ DeletionPolicy }) => ({
        DeletionPolicy: [DeletionPolicy, synth.stage.isProtected ? 'Retain' : 'Delete'],
      })),
    mutations: [
      (synth) => {
        const [[id = ''] = []] = resources(synth, 'AWS::Lambda::Version');
        change(id, 'DeletionPolicy', 'RetainExceptOnCreate')(synth);
      },
    ],
  },
  {
    says: 'npm run doctor and npm run rollback find one resource of each type that they look for, and the alias live',
    violations: (synth) => {
      const roles = resources(synth, 'AWS::IAM::Role').filter(([id]) => id.startsWith('ApiCloudWatchRole'));
      const count = (type: string) => [resources(synth, type).length, 1] as const;
      return broken('resources', {
        functions: count('AWS::Lambda::Function'),
        'CodeDeploy applications': count('AWS::CodeDeploy::Application'),
        'CodeDeploy groups': count('AWS::CodeDeploy::DeploymentGroup'),
        topics: count('AWS::SNS::Topic'),
        'roles for the logs of the gateway': [roles.length, 1],
        alias: [
          resources(synth, 'AWS::Lambda::Alias').map(([, { Properties }]) => Properties.Name),
          ['live'],
        ],
      });
    },
    mutations: [
      ...['Function', 'DeploymentApplication', 'Deployment', 'AlarmTopic', 'ApiCloudWatchRole'].map((id) =>
        change(id, 'Type', 'AWS::Other'),
      ),
      change('Live', 'Properties.Name', 'current'),
    ] as [Mutation],
  },
];
