import { expect, test } from 'vitest';
import { type Json, synthPipeline, textOf } from './synth.ts';

/** The roles by construct id: who can assume each, and what it allows. */
function roles({ Resources }: ReturnType<typeof synthPipeline>) {
  const found = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::IAM::Role');
  return Object.fromEntries(
    found.map(([id, { Properties }]) => {
      const { AssumeRolePolicyDocument: trust, Policies, ...others } = Properties;
      expect(others).toEqual({});
      const statements = Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
      const allowed = statements.map(({ Effect, Action, Resource, ...conditions }: Json) => {
        expect(conditions).toEqual({});
        return [`${Effect} ${[Action].flat().join(' ')}`, ...[Resource].flat().map(textOf)];
      });
      return [id.slice(0, -8), { trust: trust.Statement, allowed }];
    }),
  );
}

const typesOf = ({ Resources }: ReturnType<typeof synthPipeline>) =>
  Object.values(Resources).map(({ Type }) => Type);

/** The trust policy for jobs in these environments of the repository. */
const jobsOf = (...environments: string[]) => [
  {
    Effect: 'Allow',
    Action: 'sts:AssumeRoleWithWebIdentity',
    Principal: { Federated: { Ref: expect.stringMatching(/^GitHub/) } },
    Condition: {
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': environments.map(
          (name) => `repo:octo@1/plants@2:environment:${name}`,
        ),
      },
    },
  },
];
const HERE = '{AWS::Region}:{AWS::AccountId}';
const BOOTSTRAP_ROLE = 'arn:{AWS::Partition}:iam::{AWS::AccountId}:role/cdk-hnb659fds';
const READ_STACKS = [
  'Allow cloudformation:DescribeStacks cloudformation:GetTemplate',
  `arn:{AWS::Partition}:cloudformation:${HERE}:stack/PlantStore-dev/*`,
  `arn:{AWS::Partition}:cloudformation:${HERE}:stack/PlantStore-prod/*`,
];

test('each role of the workflow trusts named environments of one repository, and allows only what it needs', () => {
  expect(roles(synthPipeline())).toEqual({
    DeployRole: {
      trust: jobsOf('dev', 'prod'),
      allowed: [
        [
          'Allow sts:AssumeRole',
          `${BOOTSTRAP_ROLE}-deploy-role-{AWS::AccountId}-{AWS::Region}`,
          `${BOOTSTRAP_ROLE}-file-publishing-role-{AWS::AccountId}-{AWS::Region}`,
        ],
        READ_STACKS,
      ],
    },
    VerifyRole: {
      trust: jobsOf('dev', 'prod'),
      allowed: [
        READ_STACKS,
        [
          'Allow dynamodb:DeleteItem dynamodb:PutItem dynamodb:Scan',
          `arn:{AWS::Partition}:dynamodb:${HERE}:table/PlantStore-dev-AccessTokens*`,
          `arn:{AWS::Partition}:dynamodb:${HERE}:table/PlantStore-prod-AccessTokens*`,
        ],
      ],
    },
    ReviewRole: {
      trust: jobsOf('review-dev', 'review-prod'),
      allowed: [READ_STACKS, ['Allow cloudformation:ListStacks', '*']],
    },
  });
});

test('besides the roles, the stack has only the OIDC provider for GitHub, whose only audience is AWS STS', () => {
  const pipeline = synthPipeline();
  const [provider] = Object.values(pipeline.Resources).filter(
    ({ Type }) => Type === 'AWS::IAM::OIDCProvider',
  );
  expect(typesOf(pipeline).sort()).toEqual(['AWS::IAM::OIDCProvider', ...Array(3).fill('AWS::IAM::Role')]);
  expect(provider?.Properties).toEqual({
    Url: 'https://token.actions.githubusercontent.com',
    ClientIdList: ['sts.amazonaws.com'],
  });
});

test('an existing provider is used instead of a second one', () => {
  const pipeline = synthPipeline({ hasProvider: true });
  expect(typesOf(pipeline)).toEqual(Array(3).fill('AWS::IAM::Role'));
  for (const { trust } of Object.values(roles(pipeline)))
    expect(textOf(trust[0].Principal.Federated)).toBe(
      'arn:{AWS::Partition}:iam::{AWS::AccountId}:oidc-provider/token.actions.githubusercontent.com',
    );
});
