import {
  Aws,
  CfnCondition,
  CfnOutput,
  DefaultStackSynthesizer,
  Fn,
  RemovalPolicy,
  type Stack,
} from 'aws-cdk-lib';
import {
  OidcProviderNative,
  OpenIdConnectPrincipal,
  PolicyDocument,
  PolicyStatement,
  type PolicyStatementProps,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledge } from './cdk-nag.ts';
import { NamedStack } from './named-stack.ts';
import { inPascalCase, stackName } from './stack-names.ts';
import { TAGS } from './stages.ts';

/** The issuer of GitHub's identity tokens, and the audience that its action for AWS requests. */
const ISSUER = 'token.actions.githubusercontent.com';
const AUDIENCE = 'sts.amazonaws.com';

/** What is printed with a new provider: CloudFormation's own error only says that there is one. */
export const NEW_PROVIDER =
  'The stack makes a provider for GitHub, of which an account has only one. If the deployment fails because it already exists, ' +
  'use that one, as docs/github-workflow.md#1-create-the-roles says: -c oidcProvider=existing';

/** The settings of {@link PipelineStack}. */
export interface Pipeline {
  /** The repository as GitHub's tokens name it: `owner@id/name@id`, or `owner/name` if neither created nor renamed since 15 July 2026. */
  readonly repository: string;
  /** The workflow whose jobs deploy, as GitHub's tokens name it; absent: the repository's own. */
  readonly workflow?: string;
  /**
   * The stages that the workflow deploys. GitHub has two environments for each: one with its name, and `review-NAME`,
   * whose jobs compare templates for pull requests and need no approval.
   */
  readonly stages: readonly string[];
  /** Whether the account already has a provider for GitHub's tokens: it can have only one. */
  readonly hasProvider: boolean;
}

/** Lets the workflow use the account without stored credentials. */
export class PipelineStack extends NamedStack {
  constructor(scope: Construct, { repository, workflow, stages, hasProvider }: Pipeline) {
    super(scope, stackName('pipeline'), {
      description: 'Plant Store: the roles of the workflow on GitHub',
      terminationProtection: true,
      tags: { ...TAGS, service: 'plant-store' },
    });
    const provider = hasProvider
      ? OidcProviderNative.fromOidcProviderArn(this, 'GitHub', iamArn(`oidc-provider/${ISSUER}`))
      : new OidcProviderNative(this, 'GitHub', {
          url: `https://${ISSUER}`,
          clientIds: [AUDIENCE],
          // An account has only one: when this stack is deleted, the roles of another service may still need it.
          removalPolicy: RemovalPolicy.RETAIN,
        });
    // The Regions of China and of GovCloud know only `aud` and `sub`, and a key that AWS STS does not fill denies everybody.
    const hasClaims = new CfnCondition(this, 'HasClaims', {
      expression: Fn.conditionEquals(Aws.PARTITION, 'aws'),
    });
    const ofMain = claimsOfMain(repository, workflow);
    const addRole = (
      id: string,
      environments: readonly string[],
      claims: object | undefined,
      ...statements: Statement[]
    ) => {
      const anywhere = {
        [`${ISSUER}:aud`]: AUDIENCE,
        [`${ISSUER}:sub`]: environments.map((name) => `repo:${repository}:environment:${name}`),
      };
      const role = new Role(this, id, {
        // Only jobs in these environments: their protection rules on GitHub decide who can start one, too.
        assumedBy: new OpenIdConnectPrincipal(provider, {
          StringEquals: claims
            ? Fn.conditionIf(hasClaims.logicalId, { ...anywhere, ...claims }, anywhere)
            : anywhere,
        }),
        inlinePolicies: {
          Policy: new PolicyDocument({ statements: statements.map((each) => new PolicyStatement(each)) }),
        },
      });
      acknowledgeWildcards(role, statements);
      const description = `For the jobs of these environments on GitHub: ${environments.join(', ')}`;
      new CfnOutput(this, `${id}Arn`, { value: role.roleArn, description });
    };
    addRole('DeployRole', stages, ofMain, useBootstrapRoles(this));
    // One for each stage: the job of another stage must not be able to issue tokens of this one.
    for (const name of stages) {
      const statements = [readStacks([name]), ...readVersions(name), issueTokens(name)];
      addRole(`VerifyRole${inPascalCase(name)}`, [name], ofMain, ...statements);
    }
    // The jobs of a pull request run on its branch.
    const reviews = stages.map((name) => `review-${name}`);
    addRole('ReviewRole', reviews, undefined, readStacks(stages));
  }
}

/**
 * What GitHub's tokens say of the jobs that may deploy: only on main, and only of our own workflow. Which file calls that one, they do not
 * say. All are keys of AWS STS (IAM User Guide, "IAM and AWS STS condition context keys", available keys for GitHub).
 */
function claimsOfMain(repository: string, workflow?: string) {
  const [, id] = /@(\d+)$/.exec(repository) ?? [];
  const name = repository.replaceAll(/@\d+/g, '');
  return {
    [`${ISSUER}:ref`]: 'refs/heads/main',
    [`${ISSUER}:job_workflow_ref`]: workflow ?? `${name}/.github/workflows/deploy-stage.yml@refs/heads/main`,
    // A new repository of the same name has another one.
    ...(id && { [`${ISSUER}:repository_id`]: id }),
  };
}

/** What a role may do, and with which resources. */
type Statement = Required<Pick<PolicyStatementProps, 'actions' | 'resources'>>;

const iamArn = (resource: string) => `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:${resource}`;

/** The ARN of a resource in the stack's account and Region. */
const arn = (service: string, resource: string) =>
  `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;

/** `cdk deploy` does all its work with roles that `cdk bootstrap` created. */
function useBootstrapRoles({ synthesizer }: Stack): Statement {
  // cdk.json may name another bootstrap (`@aws-cdk/core:bootstrapQualifier`).
  const prefix = `role/cdk-${synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER}`;
  const resources = ['deploy', 'file-publishing'].map((name) =>
    iamArn(`${prefix}-${name}-role-${Aws.ACCOUNT_ID}-${Aws.REGION}`),
  );
  return { actions: ['sts:AssumeRole'], resources };
}

/** The CDK's own lookup role could also read plants; templates and outputs are enough here. */
function readStacks(stages: readonly string[]): Statement {
  const resources = stages.map((name) => arn('cloudformation', `stack/${stackName(name)}/*`));
  return { actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'], resources };
}

/**
 * `npm run deploy` asks which version serves. The name of the alias is not part of the resource (Service Authorization Reference,
 * "Actions, resources, and condition keys for AWS Lambda").
 */
function readVersions(stage: string): Statement[] {
  return [
    {
      actions: ['cloudformation:ListStackResources'],
      resources: [arn('cloudformation', `stack/${stackName(stage)}/*`)],
    },
    { actions: ['lambda:GetAlias'], resources: [arn('lambda', `function:${stackName(stage)}-Function*`)] },
  ];
}

/** `npm run verify` and `npm run deploy` issue an access token for the run. */
function issueTokens(stage: string): Statement {
  const resources = [arn('dynamodb', `table/${stackName(stage)}-AccessTokens*`)];
  return { actions: ['dynamodb:Scan', 'dynamodb:PutItem', 'dynamodb:DeleteItem'], resources };
}

function acknowledgeWildcards(role: Role, statements: readonly Statement[]): void {
  const wildcards = statements.flatMap(({ resources }) => resources).filter((each) => each.endsWith('*'));
  for (const resource of wildcards) {
    // cdk-nag writes references in this form.
    const name = resource
      .replace(Aws.PARTITION, '<AWS::Partition>')
      .replace(Aws.REGION, '<AWS::Region>')
      .replace(Aws.ACCOUNT_ID, '<AWS::AccountId>');
    const reason = 'CloudFormation adds random characters to the names of stacks, tables and functions.';
    acknowledge(role, { [`IAM5[Resource::${name}]`]: reason });
  }
}
