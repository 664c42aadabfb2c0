import { resources, type Synth, textOf } from '../synth.ts';
import { differ, every, type Policy } from './policy.ts';

const LOG_GROUP = 'AWS::Logs::LogGroup';
const VERSION = 'AWS::Lambda::Version';

/** The types of which `npm run doctor` and `npm run rollback` expect exactly one resource. */
const SINGLE = ['Lambda::Function', 'CodeDeploy::Application', 'CodeDeploy::DeploymentGroup', 'SNS::Topic'];

const outputs = ({ template }: Synth) =>
  Object.fromEntries(Object.entries(template.Outputs).map(([name, { Value }]) => [name, textOf(Value)]));

export const stackPolicies: Policy[] = [
  {
    says: 'only a protected stage has termination protection, and every stage has its tags',
    violations: ({ stage, stack }) => [
      ...differ('termination protection', stack.terminationProtection, stage.isProtected),
      ...differ('set of tags', stack.tags, { service: 'plant-store', stage: stage.name }),
    ],
    mutants: [
      ({ stack }) => Object.assign(stack, { terminationProtection: !stack.terminationProtection }),
      ({ stack }) => delete stack.tags.service,
    ],
  },
  {
    says: 'every log group has the retention of the stage; a protected stage keeps it when the stack is deleted',
    violations: (synth) =>
      every(synth, LOG_GROUP, {
        RetentionInDays: synth.stage.logDays,
        DeletionPolicy: synth.stage.isProtected ? 'Retain' : 'Delete',
      }),
    mutants: [
      [LOG_GROUP, 'RetentionInDays'],
      ['AccessLogs', 'DeletionPolicy'],
      ['FunctionLogs', 'DeletionPolicy'],
    ],
  },
  {
    says: 'the outputs are the base URL, the tables, the dashboard and the command for the first token',
    violations: (synth) => {
      const { name, domain } = synth.stage;
      const gateway = `{ApiF70053CD}.execute-api.{AWS::Region}.{AWS::URLSuffix}/${name}`;
      const console = '{AWS::Region}.console.aws.amazon.com/cloudwatch/home?region={AWS::Region}';
      return differ('set of outputs', outputs(synth), {
        // Without a trailing slash.
        BaseUrl: `https://${domain?.name ?? gateway}`,
        PlantsTable: '{PlantsF7D2F15D}',
        AccessTokensTable: '{AccessTokensB65260D5}',
        DashboardLink: `https://${console}#dashboards:name={Dashboard9E4231ED}`,
        FirstTokenCommand: `npm run token -- issue first --stage ${name}`,
      });
    },
    mutants: [
      ({ template }) => delete template.Outputs.BaseUrl,
      ({ template }) => Object.assign(template.Outputs.FirstTokenCommand, { Value: 'npm run token' }),
      ({ template }) => Object.assign(template.Outputs.BaseUrl, { Value: 'https://example.com/' }),
      ({ template }) => Object.assign(template.Outputs.DashboardLink, { Value: 'https://example.com' }),
    ],
  },
  {
    says: 'a protected stage keeps every version for a rollback, except one whose own deployment failed',
    violations: (synth) =>
      every(synth, VERSION, { DeletionPolicy: synth.stage.isProtected ? 'RetainExceptOnCreate' : 'Delete' }),
    mutants: [[VERSION, 'DeletionPolicy', 'Retain']],
  },
  {
    says: 'npm run doctor and npm run rollback find one resource of each type that they look for, and the alias live',
    violations: (synth) => {
      const roles = resources(synth, 'AWS::IAM::Role').filter(([id]) => id.startsWith('ApiCloudWatchRole'));
      return [
        ...SINGLE.flatMap((type) => differ(`number of ${type}`, resources(synth, `AWS::${type}`).length, 1)),
        ...differ('number of roles for the logs of the gateway', roles.length, 1),
        ...every(synth, 'AWS::Lambda::Alias', { Name: 'live' }),
      ];
    },
    mutants: [
      ['Function', 'Type', 'AWS::Other'],
      ['DeploymentApplication', 'Type', 'AWS::Other'],
      ['Deployment', 'Type', 'AWS::Other'],
      ['AlarmTopic', 'Type', 'AWS::Other'],
      ['ApiCloudWatchRole', 'Type', 'AWS::Other'],
      ['Live', 'Name', 'current'],
    ],
  },
];
