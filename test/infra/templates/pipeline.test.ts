import { expect, test } from 'vitest';
import { PlantStoreStack } from '../../../infra/plant-store-stack.ts';
import { PROTECTED } from '../../support/test-stages.ts';
import { CONTEXT, newApp, propertiesOf, readStack, resource, rolesOf, synthPipeline } from '../synth.ts';

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
/** That of cdk.json, or the CDK's own. */
const QUALIFIER = CONTEXT['@aws-cdk/core:bootstrapQualifier'] ?? 'hnb659fds';
const bootstrapRole = (name: string) =>
  iam(`role/cdk-${QUALIFIER}-${name}-role-{AWS::AccountId}-{AWS::Region}`);
const verify = (stage: string) => [
  allow(['cloudformation:ListStackResources', ...STACKS].sort(), ...stacks(stage)),
  allow('lambda:GetAlias', arn('lambda', `function:PlantStore-${stage}-Function*`)),
  allow(
    ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:Scan'],
    arn('dynamodb', `table/PlantStore-${stage}-AccessTokens*`),
  ),
];

/** The environments of the repository on GitHub whose jobs may assume a role, and what the role may do. */
const ROLES: Record<string, [environments: string[], may: object[]]> = {
  DeployRole: [
    ['dev-anna', 'prod'],
    [allow('sts:AssumeRole', bootstrapRole('deploy'), bootstrapRole('file-publishing'))],
  ],
  VerifyRoleDevAnna: [['dev-anna'], verify('dev-anna')],
  VerifyRoleProd: [['prod'], verify('prod')],
  ReviewRole: [['review-dev-anna', 'review-prod'], [allow(STACKS, ...stacks('dev-anna', 'prod'))]],
};

const existing = synthPipeline(true);

test('each role trusts jobs in named environments of one repository, and may do only what they need', () => {
  const roles = Object.entries(ROLES).map(([name, [environments, may]]) => {
    const anywhere = {
      [`${ISSUER}:aud`]: 'sts.amazonaws.com',
      [`${ISSUER}:sub`]: environments.map((each) => `repo:octo@1/plants@2:environment:${each}`),
    };
    const ofMain = {
      ...anywhere,
      [`${ISSUER}:ref`]: 'refs/heads/main',
      [`${ISSUER}:job_workflow_ref`]: 'octo/plants/.github/workflows/deploy-stage.yml@refs/heads/main',
      [`${ISSUER}:repository_id`]: '2',
    };
    const StringEquals = name === 'ReviewRole' ? anywhere : { 'Fn::If': ['HasClaims', ofMain, anywhere] };
    const trust = {
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: { StringEquals },
      Effect: 'Allow',
      Principal: { Federated: iam(`oidc-provider/${ISSUER}`) },
    };
    const Version = '2012-10-17';
    const Policies = [{ PolicyDocument: { Statement: may, Version }, PolicyName: 'Policy' }];
    return [name, { AssumeRolePolicyDocument: { Statement: [trust], Version }, Policies }];
  });
  expect(rolesOf(existing)).toEqual(Object.fromEntries(roles));
  expect(Object.keys(existing.template.Resources).sort()).toEqual(Object.keys(ROLES).sort());
});

test('AWS STS knows the claims of GitHub in the usual Regions only, those of China and GovCloud know none', () => {
  const HasClaims = { 'Fn::Equals': [{ Ref: 'AWS::Partition' }, 'aws'] };
  expect(existing.template).toMatchObject({ Conditions: { HasClaims } });
});

test('a repository without numbers has no id to compare, and a company may have a workflow of its own', () => {
  const workflow = 'octo/shared/.github/workflows/deploy.yml@refs/heads/main';
  const synth = synthPipeline(true, {}, { repository: 'octo/plants', workflow });
  const { Condition } = propertiesOf(synth, 'AWS::IAM::Role').DeployRole.AssumeRolePolicyDocument
    .Statement[0];
  expect(Condition.StringEquals['Fn::If'][1]).toEqual({
    [`${ISSUER}:aud`]: 'sts.amazonaws.com',
    [`${ISSUER}:sub`]: ['dev-anna', 'prod'].map((each) => `repo:octo/plants:environment:${each}`),
    [`${ISSUER}:ref`]: 'refs/heads/main',
    [`${ISSUER}:job_workflow_ref`]: workflow,
  });
});

test('the stack is protected, and its outputs are the ARNs of the roles', () => {
  expect(existing.stack.terminationProtection).toBe(true);
  const values = Object.entries(existing.template.Outputs).map(([id, { Value }]) => [
    id,
    Value['Fn::GetAtt'],
  ]);
  const arns = Object.keys(ROLES).map((name) => [`${name}Arn`, [name, 'Arn']]);
  expect(Object.fromEntries(values)).toEqual(Object.fromEntries(arns));
});

/** What a company sets in cdk.json: its bootstrap, and a permissions boundary. */
const COMPANY = {
  '@aws-cdk/core:bootstrapQualifier': 'company',
  '@aws-cdk/core:permissionsBoundary': { name: 'Boundary' },
};
const created = synthPipeline(false, COMPANY);

test('in an account without a provider for GitHub, the roles trust one of the stack, only for AWS STS', () => {
  const roles = Object.values(propertiesOf(created, 'AWS::IAM::Role'));
  const trusted = roles.map((role) => role.AssumeRolePolicyDocument.Statement[0].Principal.Federated);
  expect(trusted).toEqual(Object.keys(ROLES).map(() => '{GitHub}'));
  const GitHub = { ClientIdList: ['sts.amazonaws.com'], Url: `https://${ISSUER}` };
  expect(propertiesOf(created, 'AWS::IAM::OIDCProvider')).toEqual({ GitHub });
  // It stays for the roles of another service when the stack is deleted.
  expect(resource(created, 'GitHub').DeletionPolicy).toBe('Retain');
});

test('the role that deploys assumes the roles of the bootstrap of a company', () => {
  const { DeployRole } = propertiesOf(created, 'AWS::IAM::Role');
  expect(DeployRole.Policies[0].PolicyDocument.Statement[0].Resource).toEqual(
    ['deploy', 'file-publishing'].map((name) =>
      iam(`role/cdk-company-${name}-role-{AWS::AccountId}-{AWS::Region}`),
    ),
  );
});

test('the permissions boundary of a company is on all roles', () => {
  const stage = readStack(new PlantStoreStack(newApp(COMPANY), PROTECTED));
  const boundaries = [stage, created].flatMap((synth) =>
    Object.values(propertiesOf(synth, 'AWS::IAM::Role')).map((role) => role.PermissionsBoundary),
  );
  expect(boundaries.length).toBeGreaterThanOrEqual(3 + Object.keys(ROLES).length);
  expect(new Set(boundaries)).toEqual(
    new Set(['arn:{AWS::Partition}:iam::{AWS::AccountId}:policy/Boundary']),
  );
});
