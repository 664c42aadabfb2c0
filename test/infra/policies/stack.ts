import { type Json, only, resources } from '../deployed.ts';
import { broken, each, type Policy, same } from './policy.ts';

const LOG_GROUP = 'AWS::Logs::LogGroup';
const OUTPUTS = ['BaseUrl', 'PlantsTable', 'AccessTokensTable', 'DashboardLink', 'FirstTokenCommand'];

export const stackPolicies: Policy[] = [
  {
    says: 'only a protected stage refuses to be deleted',
    violations: ({ stage, isTerminationProtected }) =>
      broken({ 'termination protection': isTerminationProtected === stage.isProtected }, stage.name),
    mutations: [
      (d) => {
        d.isTerminationProtected = !d.isTerminationProtected;
      },
    ],
  },
  {
    says: 'every log group is kept as long as the stage says, and outlives the stack where it is protected',
    violations: (deployed) =>
      each(deployed, LOG_GROUP, ({ Properties, DeletionPolicy }) => ({
        retention: Properties?.RetentionInDays === deployed.stage.logDays,
        'what happens when the stack goes':
          DeletionPolicy === (deployed.stage.isProtected ? 'Retain' : 'Delete'),
      })),
    mutations: [
      (d) => delete resources(d, LOG_GROUP)[0]?.[1].Properties.RetentionInDays,
      (d) => Object.assign(resources(d, LOG_GROUP)[1]?.[1] ?? {}, { DeletionPolicy: undefined }),
    ],
  },
  {
    says: 'no policy allows every action, and nothing but traces is allowed on every resource',
    violations: (deployed) =>
      each(deployed, 'AWS::IAM::Policy', ({ Properties }) => {
        const allowed: Json[] = Properties.PolicyDocument.Statement.filter(
          ({ Effect }: Json) => Effect === 'Allow',
        );
        const onAll = allowed.filter(({ Resource }) => [Resource].flat().includes('*'));
        return {
          'actions are named': allowed.every(
            ({ Action }) => ![Action].flat().some((name) => name.includes('*')),
          ),
          'resources are named': onAll.every(({ Action }) =>
            [Action].flat().every((name) => name.startsWith('xray:')),
          ),
        };
      }),
    mutations: [
      (d) => {
        only(d, 'AWS::IAM::Policy').Properties.PolicyDocument.Statement[0].Action = 'dynamodb:*';
      },
      (d) => {
        only(d, 'AWS::IAM::Policy').Properties.PolicyDocument.Statement[0].Resource = '*';
      },
    ],
  },
  {
    says: 'the outputs tell base URL, tables, dashboard and how to issue the first token',
    violations: ({ stage, template: { Outputs } }) => {
      const value = (name: string) => JSON.stringify(Outputs[name]?.Value ?? '');
      return broken(
        {
          'exactly these': same(Object.keys(Outputs), OUTPUTS),
          'a base URL without a slash at its end': /^.*https:\/\/.*[a-z]"[\]}]*$/.test(value('BaseUrl')),
          'the table of access tokens': same(Outputs.AccessTokensTable?.Value, {
            Ref: 'AccessTokensB65260D5',
          }),
          'the table of plants': same(Outputs.PlantsTable?.Value, { Ref: 'PlantsF7D2F15D' }),
          'a command for this stage':
            value('FirstTokenCommand').includes(`npm run token -- issue`) &&
            value('FirstTokenCommand').includes(`--stage ${stage.name}`),
        },
        'outputs',
      );
    },
    mutations: [
      ({ template }) => delete template.Outputs.BaseUrl,
      ({ template }) => {
        template.Outputs.FirstTokenCommand.Value = 'npm run token';
      },
      ({ template }) => {
        template.Outputs.BaseUrl.Value = 'https://example.com/';
      },
    ],
  },
];
