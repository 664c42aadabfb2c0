import { Aws, CfnOutput, DefaultStackSynthesizer, Stack, Validations } from 'aws-cdk-lib';
import {
  type IOidcProvider,
  OidcProviderNative,
  OpenIdConnectPrincipal,
  PolicyDocument,
  PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { stackName } from './names.ts';

/** The issuer of GitHub's identity tokens, and the audience that its action for AWS asks for. */
const ISSUER = 'token.actions.githubusercontent.com';
const AUDIENCE = 'sts.amazonaws.com';

/** The settings of {@link PipelineStack}. */
export interface Pipeline {
  /** The repository as GitHub's tokens name it: `owner@id/name@id`, or `owner/name` if it is older than 15 July 2026. */
  readonly repository: string;
  /**
   * The stages that the workflow deploys. GitHub has two environments for each: one of its name, and `review-NAME`, whose
   * jobs compare templates for pull requests and need no approval.
   */
  readonly stages: readonly string[];
  /** Whether the account already has a provider for GitHub's tokens: it can have only one. */
  readonly hasProvider: boolean;
}

/** Lets the workflow use the account without stored credentials. */
export class PipelineStack extends Stack {
  constructor(scope: Construct, { repository, stages, hasProvider }: Pipeline) {
    super(scope, stackName('pipeline'), {
      description: 'Plant Store 1.0.0, the roles of the workflow on GitHub',
      terminationProtection: true,
      tags: { service: 'plant-store' },
    });
    const provider = makeProvider(this, hasProvider);
    const addRole = (id: string, environments: readonly string[], ...permissions: Permission[]) => {
      const role = new Role(this, id, {
        // Only jobs in these environments: their protection rules on GitHub decide who can start one.
        assumedBy: new OpenIdConnectPrincipal(provider, {
          StringEquals: {
            [`${ISSUER}:aud`]: AUDIENCE,
            [`${ISSUER}:sub`]: environments.map((name) => `repo:${repository}:environment:${name}`),
          },
        }),
        inlinePolicies: { Policy: new PolicyDocument({ statements: permissions.map(statementOf) }) },
      });
      acknowledgeWildcards(
        role,
        permissions.flatMap(({ on }) => on),
      );
      const description = `For the jobs of these environments on GitHub: ${environments.join(', ')}`;
      new CfnOutput(this, `${id}Arn`, { value: role.roleArn, description });
    };
    addRole('DeployRole', stages, useBootstrapRoles(), readStacks(stages));
    addRole('VerifyRole', stages, readStacks(stages), issueTokens(stages));
    addRole(
      'ReviewRole',
      stages.map((name) => `review-${name}`),
      readStacks(stages),
      listStacks(),
    );
  }
}

function makeProvider(scope: Construct, exists: boolean): IOidcProvider {
  return exists
    ? OidcProviderNative.fromOidcProviderArn(
        scope,
        'GitHub',
        arn({ service: 'iam', resource: `oidc-provider/${ISSUER}` }),
      )
    : new OidcProviderNative(scope, 'GitHub', { url: `https://${ISSUER}`, clientIds: [AUDIENCE] });
}

interface Target {
  readonly service: 'cloudformation' | 'dynamodb' | 'iam';
  readonly resource: string;
}

interface Permission {
  readonly actions: string[];
  readonly on: readonly (Target | '*')[];
}

function statementOf({ actions, on }: Permission): PolicyStatement {
  return new PolicyStatement({ actions, resources: on.map((each) => (each === '*' ? each : arn(each))) });
}

/** The ARN of a resource in the stack's account and Region; IAM has no Regions. */
function arn({ service, resource }: Target): string {
  return `arn:${Aws.PARTITION}:${service}:${service === 'iam' ? '' : Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;
}

/** `cdk deploy` does all its work with roles that `cdk bootstrap` has made. */
function useBootstrapRoles(): Permission {
  const prefix = `role/cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}`;
  const on = ['deploy', 'file-publishing'].map((name) => ({
    service: 'iam' as const,
    resource: `${prefix}-${name}-role-${Aws.ACCOUNT_ID}-${Aws.REGION}`,
  }));
  return { actions: ['sts:AssumeRole'], on };
}

/** The CDK's own look-up role could also read plants; templates and outputs are enough here. */
function readStacks(stages: readonly string[]): Permission {
  const on = stages.map((name) => ({
    service: 'cloudformation' as const,
    resource: `stack/${stackName(name)}/*`,
  }));
  return { actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'], on };
}

/** The guard finds stacks whose stage was taken away. IAM cannot limit this action to some stacks. */
function listStacks(): Permission {
  return { actions: ['cloudformation:ListStacks'], on: ['*'] };
}

/** `npm run verify -- --stage` issues an access token for the run. */
function issueTokens(stages: readonly string[]): Permission {
  const on = stages.map((name) => ({
    service: 'dynamodb' as const,
    resource: `table/${stackName(name)}-AccessTokens*`,
  }));
  return { actions: ['dynamodb:Scan', 'dynamodb:PutItem', 'dynamodb:DeleteItem'], on };
}

function acknowledgeWildcards(role: Role, targets: readonly (Target | '*')[]): void {
  const acknowledge = (resource: string, reason: string) =>
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
  for (const target of targets) {
    if (target === '*') {
      acknowledge('*', 'IAM cannot limit ListStacks to some stacks. It shows names, not outputs.');
    } else if (target.resource.endsWith('*')) {
      const { service, resource } = target;
      const name = `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${resource}`;
      acknowledge(name, 'CloudFormation adds random characters to the names of stacks and tables.');
    }
  }
}
