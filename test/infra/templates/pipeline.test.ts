import { describe, expect, test } from 'vitest';
import { propertiesOf, synthPipeline } from '../synth.ts';

const ISSUER = 'token.actions.githubusercontent.com';
const iam = (resource: string) => `arn:{AWS::Partition}:iam::{AWS::AccountId}:${resource}`;
const arn = (service: string, resource: string) =>
  `arn:{AWS::Partition}:${service}:{AWS::Region}:{AWS::AccountId}:${resource}`;
const allow = (Action: string | string[], ...resources: string[]) => ({
  Action,
  Effect: 'Allow',
  Resource: resources.length === 1 ? resources[0] : resources,
});

const STACKS = ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'];
const stacks = (...stages: string[]) =>
  stages.map((stage) => arn('cloudformation', `stack/PlantStore-${stage}/*`));
const bootstrapRole = (name: string) => iam(`role/cdk-hnb659fds-${name}-role-{AWS::AccountId}-{AWS::Region}`);
const verify = (stage: string) => [
  allow(STACKS, ...stacks(stage)),
  allow(
    ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:Scan'],
    arn('dynamodb', `table/PlantStore-${stage}-AccessTokens*`),
  ),
];

/** The environments of the repository on GitHub whose jobs may assume a role, and what the role may do. */
const ROLES: Record<string, [environments: string[], may: object[]]> = {
  DeployRole: [
    ['dev-anna', 'prod'],
    [
      allow('sts:AssumeRole', bootstrapRole('deploy'), bootstrapRole('file-publishing')),
      allow(['cloudformation:DescribeStackResource', ...STACKS], ...stacks('dev-anna', 'prod')),
      allow(
        'lambda:GetAlias',
        arn('lambda', 'function:PlantStore-dev-anna-Function*'),
        arn('lambda', 'function:PlantStore-prod-Function*'),
      ),
    ],
  ],
  VerifyRoleDevAnna: [['dev-anna'], verify('dev-anna')],
  VerifyRoleProd: [['prod'], verify('prod')],
  ReviewRole: [
    ['review-dev-anna', 'review-prod'],
    [allow(STACKS, ...stacks('*')), allow('cloudformation:ListStacks', '*')],
  ],
};

describe.each([
  [true, iam(`oidc-provider/${ISSUER}`), {}],
  // Only for GitHub's tokens, and only for AWS STS.
  [false, '{GitHub}', { GitHub: { ClientIdList: ['sts.amazonaws.com'], Url: `https://${ISSUER}` } }],
])('the pipeline of an account that has a provider: %s', (hasProvider, Federated, providers) => {
  const synth = synthPipeline(hasProvider);

  test('each role trusts jobs in named environments of one repository, and may do only what they need', () => {
    const roles = Object.entries(ROLES).map(([name, [environments, may]]) => {
      const trust = {
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            [`${ISSUER}:aud`]: 'sts.amazonaws.com',
            [`${ISSUER}:sub`]: environments.map((each) => `repo:octo@1/plants@2:environment:${each}`),
          },
        },
        Effect: 'Allow',
        Principal: { Federated },
      };
      const Version = '2012-10-17';
      const Policies = [{ PolicyDocument: { Statement: may, Version }, PolicyName: 'Policy' }];
      return [name, { AssumeRolePolicyDocument: { Statement: [trust], Version }, Policies }];
    });
    expect(propertiesOf(synth, 'AWS::IAM::Role')).toEqual(Object.fromEntries(roles));
    expect(propertiesOf(synth, 'AWS::IAM::OIDCProvider')).toEqual(providers);
    const types = new Set(Object.values(synth.template.Resources).map(({ Type }) => Type));
    expect(types.size).toBe(hasProvider ? 1 : 2);
  });

  test('the stack is protected, and its outputs are the ARNs of the roles', () => {
    expect(synth.stack.terminationProtection).toBe(true);
    const values = Object.entries(synth.template.Outputs).map(([id, { Value }]) => [id, Value['Fn::GetAtt']]);
    const arns = Object.keys(ROLES).map((name) => [`${name}Arn`, [name, 'Arn']]);
    expect(Object.fromEntries(values)).toEqual(Object.fromEntries(arns));
  });
});
