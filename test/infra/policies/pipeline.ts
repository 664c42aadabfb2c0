import type { StackSynth } from '../synth.ts';
import { arn, differ, every, outputsOf, type Policy } from './policy.ts';

const HERE = {};
const ISSUER = 'token.actions.githubusercontent.com';
const iam = (resource: string) => `arn:{AWS::Partition}:iam::{AWS::AccountId}:${resource}`;
const bootstrapRole = (name: string) => iam(`role/cdk-hnb659fds-${name}-role-{AWS::AccountId}-{AWS::Region}`);
const allow = (Action: string | string[], ...resources: string[]) => ({
  Action,
  Effect: 'Allow',
  Resource: resources.length === 1 ? resources[0] : resources,
});

const STACKS = ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'];
const stacks = (...stages: string[]) =>
  stages.map((stage) => arn(HERE, 'cloudformation', `stack/PlantStore-${stage}/*`));
const verify = (stage: string) => [
  allow(STACKS, ...stacks(stage)),
  allow(
    ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:Scan'],
    arn(HERE, 'dynamodb', `table/PlantStore-${stage}-AccessTokens*`),
  ),
];

/** The roles of the workflow: the environments of the repository on GitHub whose jobs may assume it, and what it may do. */
const ROLES = {
  DeployRole: {
    environments: ['dev-anna', 'prod'],
    may: [
      allow('sts:AssumeRole', bootstrapRole('deploy'), bootstrapRole('file-publishing')),
      allow(['cloudformation:DescribeStackResource', ...STACKS], ...stacks('dev-anna', 'prod')),
      // Of the functions of these stages.
      allow(
        'lambda:GetAlias',
        arn(HERE, 'lambda', 'function:PlantStore-dev-anna-Function*'),
        arn(HERE, 'lambda', 'function:PlantStore-prod-Function*'),
      ),
    ],
  },
  VerifyRoleDevAnna: {
    environments: ['dev-anna'],
    may: verify('dev-anna'),
  },
  VerifyRoleProd: {
    environments: ['prod'],
    may: verify('prod'),
  },
  ReviewRole: {
    environments: ['review-dev-anna', 'review-prod'],
    may: [allow(STACKS, ...stacks('*')), allow('cloudformation:ListStacks', '*')],
  },
};

const document = (...Statement: object[]) => ({ Statement, Version: '2012-10-17' });

/** The policies of the pipeline's stack. @param hasProvider whether the account already has a provider for GitHub's tokens */
export const pipelinePolicies = (hasProvider: boolean): Policy<StackSynth>[] => [
  {
    says: 'the pipeline has termination protection, four roles, and the provider unless the account has one',
    violations: ({ stack, template: { Resources, Outputs: _, ...others } }) => [
      ...differ('stack', stack, {
        account: 'unknown-account',
        region: 'unknown-region',
        tags: { service: 'plant-store' },
        terminationProtection: true,
      }),
      ...differ('parts', Object.keys(others), ['Description', 'Parameters', 'Rules']),
      ...differ(
        'types',
        Object.values(Resources).map(({ Type, Properties: __, ...more }) => ({ Type, ...more })),
        [
          ...(hasProvider ? [] : [{ Type: 'AWS::IAM::OIDCProvider' }]),
          ...Array(4).fill({ Type: 'AWS::IAM::Role' }),
        ],
      ),
    ],
  },
  {
    says: 'each role trusts named environments of one repository, and allows only what its jobs need',
    violations: (synth) =>
      Object.entries(ROLES).flatMap(([name, { environments, may }]) =>
        every(synth, name, {
          AssumeRolePolicyDocument: document({
            Action: 'sts:AssumeRoleWithWebIdentity',
            Condition: {
              StringEquals: {
                [`${ISSUER}:aud`]: 'sts.amazonaws.com',
                [`${ISSUER}:sub`]: environments.map((each) => `repo:octo@1/plants@2:environment:${each}`),
              },
            },
            Effect: 'Allow',
            Principal: { Federated: hasProvider ? iam(`oidc-provider/${ISSUER}`) : '{GitHub}' },
          }),
          Policies: [{ PolicyDocument: document(...may), PolicyName: 'Policy' }],
        }),
      ),
  },
  {
    says: "the provider is for GitHub's tokens, whose only audience is AWS STS",
    violations: (synth) =>
      hasProvider
        ? []
        : every(synth, 'AWS::IAM::OIDCProvider', {
            ClientIdList: ['sts.amazonaws.com'],
            Url: `https://${ISSUER}`,
          }),
  },
  {
    says: 'the outputs are the ARNs of the roles, for the variables of the environments',
    violations: (synth) =>
      differ(
        'outputs',
        outputsOf(synth),
        Object.fromEntries(Object.keys(ROLES).map((name) => [`${name}Arn`, { Value: `{${name}.Arn}` }])),
      ),
  },
];
