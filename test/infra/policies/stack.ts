import type { Stage } from '../../../infra/stage-settings.ts';
import type { Json } from '../synth.ts';
import { apiStageOf, differ, find, nameOf, outputsOf, type Policy, plain } from './policy.ts';

/** How many resources a stage has of each type. A type that is not here is one that nobody has decided on. */
const typesOf = ({ isProtected, domain, firewall, alarmEmail, expectsPlants }: Stage) => ({
  'AWS::ApiGateway::Account': 1,
  'AWS::ApiGateway::BasePathMapping': domain && 1,
  'AWS::ApiGateway::Deployment': 1,
  'AWS::ApiGateway::DomainName': domain && 1,
  'AWS::ApiGateway::GatewayResponse': 14,
  'AWS::ApiGateway::Method': 4,
  'AWS::ApiGateway::Resource': 2,
  'AWS::ApiGateway::RestApi': 1,
  'AWS::ApiGateway::Stage': 1,
  'AWS::CloudWatch::Alarm': 11 + Number(isProtected) + (expectsPlants ? 1 : 0),
  'AWS::CloudWatch::Dashboard': 1,
  // `npm run doctor` expects exactly one of each of CodeDeploy's and Lambda's types.
  'AWS::CodeDeploy::Application': 1,
  'AWS::CodeDeploy::DeploymentGroup': 1,
  'AWS::DynamoDB::GlobalTable': 2,
  // Of the function, CodeDeploy, and the gateway's logs.
  'AWS::IAM::Role': 3,
  'AWS::IAM::Policy': 1,
  'AWS::Lambda::Alias': 1,
  'AWS::Lambda::Function': 1,
  'AWS::Lambda::Permission': 4,
  'AWS::Lambda::Version': 1,
  'AWS::Logs::LogGroup': 2,
  'AWS::Logs::MetricFilter': 10,
  'AWS::Logs::QueryDefinition': 7,
  'AWS::Route53::RecordSet': domain?.zone && 1,
  'AWS::SNS::Subscription': alarmEmail && 1,
  'AWS::SNS::Topic': 1,
  'AWS::SNS::TopicPolicy': 1,
  'AWS::WAFv2::WebACL': firewall && 1,
  'AWS::WAFv2::WebACLAssociation': firewall && 1,
  'AWS::XRay::SamplingRule': 1,
});

const removed = (DeletionPolicy: string, UpdateReplacePolicy = DeletionPolicy) => ({
  DeletionPolicy,
  UpdateReplacePolicy,
});

/** What each resource has besides its type and properties, by its name; the others have nothing. */
const attributesOf = ({ isProtected }: Stage): Record<string, object> => {
  const data = removed(isProtected ? 'Retain' : 'Delete');
  return {
    Plants: data,
    AccessTokens: data,
    FunctionLogs: data,
    AccessLogs: data,
    Function: { DependsOn: ['FunctionRole', 'FunctionRoleDefaultPolicy'] },
    // For a rollback, but not the version of a deployment that failed.
    FunctionCurrentVersion: isProtected ? removed('RetainExceptOnCreate', 'Retain') : data,
    Live: {
      UpdatePolicy: {
        CodeDeployLambdaAliasUpdate: {
          ApplicationName: '{DeploymentApplication}',
          DeploymentGroupName: '{Deployment}',
        },
      },
    },
    // All APIs of the Region use this role.
    ApiCloudWatchRole: removed('Retain'),
    ApiAccount: { ...removed('Retain'), DependsOn: ['Api'] },
  };
};

/** What a deployment of the API must wait for, or it would not have it. */
const PARTS_OF_API = ['Method', 'Resource', 'GatewayResponse'].map((type) => `AWS::ApiGateway::${type}`);

export const stackPolicies: Policy[] = [
  {
    says: 'a stage has its account and Region, its tags and, only if it is protected, termination protection',
    violations: ({ stage, stack }) =>
      differ('stack', stack, {
        account: stage.account ?? 'unknown-account',
        region: stage.region ?? 'unknown-region',
        tags: { service: 'plant-store', stage: stage.name },
        terminationProtection: stage.isProtected,
      }),
  },
  {
    says: 'a stage has exactly the resources that its settings ask for, and no conditions, mappings or macros',
    violations: ({ stage, template: { Resources, Outputs: _, ...others } }) => [
      ...differ('number', countBy(Object.values(Resources).map(({ Type }) => Type)), typesOf(stage)),
      ...differ('parts', Object.keys(others), ['Description', 'Parameters', 'Rules']),
    ],
  },
  {
    says: 'data, logs and versions of a protected stage outlive the stack, and resources are made in the right order',
    violations: (synth) => {
      const { Resources } = synth.template;
      const names = (ids: Json) => ids?.map((id: string) => nameOf(synth, id)).sort();
      const partsOfApi = PARTS_OF_API.flatMap((type) => find(synth, type).map(([id]) => nameOf(synth, id)));
      const required: Record<string, object> = {
        ...attributesOf(synth.stage),
        ApiDeployment: { DependsOn: partsOfApi.sort() },
        // Without the role, a stage with an access log is refused.
        [apiStageOf(synth.stage).slice(1, -1)]: { DependsOn: ['ApiAccount'] },
      };
      return Object.entries(Resources).flatMap(([id, { Type: _, Properties: __, Metadata: ___, ...found }]) =>
        differ(
          id,
          { ...plain(synth, found), DependsOn: names(found.DependsOn) },
          required[nameOf(synth, id)] ?? {},
        ),
      );
    },
  },
  {
    says: 'the outputs are the base URL, the tables, the dashboard, the command for the first token and perhaps a target',
    violations: (synth) => {
      const { name, domain } = synth.stage;
      const gateway = `{Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/${name}`;
      const console = '{AWS::Region}.console.aws.amazon.com/cloudwatch/home?region={AWS::Region}';
      return differ('outputs', outputsOf(synth), {
        // Without a trailing slash.
        BaseUrl: { Value: `https://${domain?.name ?? gateway}` },
        PlantsTable: { Value: '{Plants}' },
        AccessTokensTable: { Value: '{AccessTokens}' },
        DashboardLink: { Value: `https://${console}#dashboards:name={Dashboard}` },
        FirstTokenCommand: { Value: `npm run token -- issue first --stage ${name}` },
        // Where the DNS record of the domain has to be made by hand.
        DomainTarget: domain && !domain.zone ? { Value: '{ApiDomain.RegionalDomainName}' } : undefined,
      });
    },
  },
];

const countBy = (names: string[]) =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((each) => each === name).length]));
