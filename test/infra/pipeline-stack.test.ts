import { describe, expect, test } from 'vitest';
import { type Json, type Resource, synthPipeline } from './synth.ts';

const OF_AN_ACCOUNT = {
  'AWS::Partition': 'aws',
  'AWS::AccountId': '111122223333',
  'AWS::Region': 'eu-west-1',
};

/** A value of a template with the names of an account filled in. */
function resolved(value: Json): string {
  if (typeof value === 'string') return value;
  if ('Ref' in value) return OF_AN_ACCOUNT[value.Ref as keyof typeof OF_AN_ACCOUNT] ?? `{${value.Ref}}`;
  return value['Fn::Join'][1].map(resolved).join(value['Fn::Join'][0]);
}

/** The roles by construct id: who can assume each, and what it allows. */
function roles(resources: Record<string, Resource>) {
  const found = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::IAM::Role');
  return Object.fromEntries(
    found.map(([id, { Properties }]) => {
      const { Statement: trust } = Properties.AssumeRolePolicyDocument;
      expect(trust).toHaveLength(1);
      expect(Object.keys(Properties).sort()).toEqual(['AssumeRolePolicyDocument', 'Policies']);
      const allowed = Properties.Policies.flatMap((policy: Json) => policy.PolicyDocument.Statement).map(
        ({ Effect, Action, Resource, ...others }: Json) => {
          expect([Effect, others]).toEqual(['Allow', {}]);
          return [[Action].flat().join(' '), ...[Resource].flat().map(resolved)];
        },
      );
      return [id.replace(/[0-9A-F]{8}$/, ''), { trust: trust[0], allowed }];
    }),
  );
}

const trusted = (...environments: string[]) => ({
  Effect: 'Allow',
  Action: 'sts:AssumeRoleWithWebIdentity',
  Principal: { Federated: { Ref: expect.stringMatching(/^GitHub/) } },
  Condition: {
    StringEquals: {
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': environments,
    },
  },
});
const STAGES = ['repo:octo@1/plants@2:environment:dev', 'repo:octo@1/plants@2:environment:prod'];
const READ_STACKS = [
  'cloudformation:DescribeStacks cloudformation:GetTemplate',
  'arn:aws:cloudformation:eu-west-1:111122223333:stack/PlantStore-dev/*',
  'arn:aws:cloudformation:eu-west-1:111122223333:stack/PlantStore-prod/*',
];

describe('the roles of the workflow', () => {
  test('each is for named environments of one repository, and allows only this', () => {
    expect(roles(synthPipeline().Resources)).toEqual({
      DeployRole: {
        trust: trusted(...STAGES),
        allowed: [
          [
            'sts:AssumeRole',
            'arn:aws:iam::111122223333:role/cdk-hnb659fds-deploy-role-111122223333-eu-west-1',
            'arn:aws:iam::111122223333:role/cdk-hnb659fds-file-publishing-role-111122223333-eu-west-1',
          ],
          READ_STACKS,
        ],
      },
      VerifyRole: {
        trust: trusted(...STAGES),
        allowed: [
          READ_STACKS,
          [
            'dynamodb:DeleteItem dynamodb:PutItem dynamodb:Scan',
            'arn:aws:dynamodb:eu-west-1:111122223333:table/PlantStore-dev-AccessTokens*',
            'arn:aws:dynamodb:eu-west-1:111122223333:table/PlantStore-prod-AccessTokens*',
          ],
        ],
      },
      ReviewRole: {
        trust: trusted(
          'repo:octo@1/plants@2:environment:review-dev',
          'repo:octo@1/plants@2:environment:review-prod',
        ),
        allowed: [READ_STACKS, ['cloudformation:ListStacks', '*']],
      },
    });
  });

  test('the stack has nothing but the roles and the provider of GitHub’s tokens', () => {
    const types = Object.values(synthPipeline().Resources).map(({ Type }) => Type);
    expect(types.sort()).toEqual(['AWS::IAM::OIDCProvider', ...Array(3).fill('AWS::IAM::Role')]);
  });

  test('the provider is for AWS only', () => {
    const provider = Object.values(synthPipeline().Resources).find(
      ({ Type }) => Type === 'AWS::IAM::OIDCProvider',
    );
    expect(provider?.Properties).toEqual({
      Url: 'https://token.actions.githubusercontent.com',
      ClientIdList: ['sts.amazonaws.com'],
    });
  });

  test('an existing provider is used instead of a second one', () => {
    const resources = synthPipeline({ hasProvider: true }).Resources;
    expect(Object.values(resources).map(({ Type }) => Type)).toEqual(Array(3).fill('AWS::IAM::Role'));
    for (const { trust } of Object.values(roles(resources)))
      expect(resolved(trust.Principal.Federated)).toBe(
        'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com',
      );
  });
});
