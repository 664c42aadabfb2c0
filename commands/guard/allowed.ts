import { isDeepStrictEqual } from 'node:util';
import { type Allowed, changesOf, field, type Rule } from './changes.ts';
import {
  adds,
  addsFields,
  addsTags,
  addsVariables,
  always,
  becomes,
  isLike,
  isNew,
  isSimilar,
  keepsLonger,
  keepsPermissions,
} from './rules.ts';
import type { Resource } from './templates.ts';

const each = (rule: Rule, ...paths: string[]): Allowed =>
  Object.fromEntries(paths.map((path) => [path, rule]));

/** The order of the work, and notes. */
const NOTES: Allowed = { DependsOn: always, Metadata: always };

/** Attributes and properties that each type may have. A policy decides only when its resource is removed or replaced. */
const ANY_TYPE: Allowed = {
  ...NOTES,
  DeletionPolicy: becomes('Retain', 'RetainExceptOnCreate'),
  UpdateReplacePolicy: becomes('Retain'),
  // Again after a deployment with `-c canary=off`, which has none.
  UpdatePolicy: isNew,
  'Properties.Tags': addsTags,
};

/** The headers of CORS may change, which protects no data, but not with credentials; what else clients read may not. */
const corsHeader = (name: string) => `ResponseParameters.gatewayresponse.header.${name}`;
const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers', 'vary'].map(corsHeader);

/**
 * The only properties that may change, by type. None of them replaces its resource. The meaning of each is from AWS's
 * CloudFormation Template Reference.
 */
export const TYPES: Readonly<Record<string, Allowed>> = {
  'AWS::DynamoDB::GlobalTable': {
    'Replicas.*.DeletionProtectionEnabled': becomes(true),
    'Replicas.*.ReadOnDemandThroughputSettings.MaxReadRequestUnits': isSimilar({ absent: 1_000 }),
    // One plant of 400 KB needs 400.
    'WriteOnDemandThroughputSettings.MaxWriteRequestUnits': isSimilar({ absent: 4_000 }),
    'Replicas.*.Tags': addsTags,
  },
  'AWS::Logs::LogGroup': { DeletionProtectionEnabled: becomes(true), RetentionInDays: keepsLonger },
  // All versions of the function share its role, and the role changes before the alias moves.
  'AWS::IAM::Policy': { 'PolicyDocument.Statement': keepsPermissions },
  'AWS::Lambda::Function': {
    ...each(always, 'Architectures', 'Code', 'Description', 'Handler', 'Runtime', 'TracingConfig'),
    'Environment.Variables': addsVariables('ALLOWED_ORIGINS', 'AWS_LAMBDA_EXEC_WRAPPER'),
    ...each(isSimilar({ fold: 3 }), 'MemorySize', 'Timeout'),
    // 0 stops the service.
    ReservedConcurrentExecutions: (was, is) => is === undefined || isSimilar({ absent: 100 })(was, is),
  },
  'AWS::Lambda::Alias': {
    Description: always,
    // Not $LATEST, nor an earlier version by its number.
    FunctionVersion: isLike(/^\$\{\w+\.Version\}$/),
  },
  'AWS::ApiGateway::RestApi': { Description: always, Name: always },
  'AWS::ApiGateway::GatewayResponse': each(always, 'ResponseTemplates', ...CORS_HEADERS),
  'AWS::ApiGateway::Deployment': { Description: always },
  'AWS::ApiGateway::Stage': {
    'AccessLogSetting.Format': addsFields,
    DeploymentId: isLike(/^\$\{\w+\}$/),
    ...each(isSimilar(), 'MethodSettings.*.ThrottlingBurstLimit', 'MethodSettings.*.ThrottlingRateLimit'),
    ...each(always, 'Description', 'TracingEnabled'),
  },
  // API Gateway refuses a certificate for another name.
  'AWS::ApiGateway::DomainName': { RegionalCertificateArn: isLike(/./) },
  'AWS::WAFv2::WebACL': { 'Rules.*.Statement.RateBasedStatement.Limit': isSimilar() },
  'AWS::CloudWatch::Alarm': {
    ActionsEnabled: becomes(true, undefined),
    ...each(always, 'AlarmDescription', 'Metrics.*.Label'),
    // Thus SlowRequests, at 3.5 s, stays below the timeout of 6 s.
    Threshold: isSimilar({ fold: 1.5 }),
  },
  'AWS::CodeDeploy::DeploymentGroup': {
    ...each(adds, 'AlarmConfiguration.Alarms', 'AutoRollbackConfiguration.Events'),
    ...each(becomes(true), 'AlarmConfiguration.Enabled', 'AutoRollbackConfiguration.Enabled'),
    DeploymentConfigName: isLike(/^CodeDeployDefault\.Lambda(Canary|Linear)/),
  },
};

/** What may change of a resource, by the paths in the template, such as `Properties.DisplayName`. */
export function allowedChanges(type: string): Allowed {
  const properties = Object.entries((field(TYPES, type) as Allowed | undefined) ?? {});
  return {
    ...ANY_TYPE,
    ...Object.fromEntries(properties.map(([path, rule]) => [`Properties.${path}`, rule])),
  };
}

/** Each deployment has new ones in place of the earlier ones, whose ids have a digest of the code or of the API. */
export const EACH_TIME: readonly string[] = ['AWS::Lambda::Version', 'AWS::ApiGateway::Deployment'];

/** These may come, change and go: they hold no data and no address. */
export const FREE: readonly string[] = ['AWS::CloudWatch::Dashboard', 'AWS::Logs::QueryDefinition'];

/** New ones give no access, take no address and do not stand before the API. */
const HARMLESS = ['AWS::ApiGateway::Resource', 'AWS::Logs::LogGroup'];

/** The properties in which a new resource may differ from a deployed one of its type. */
const LIKE_ANOTHER: Readonly<Record<string, Allowed>> = {
  ...Object.fromEntries(EACH_TIME.map((type) => [type, allowedChanges(type)])),
  'AWS::ApiGateway::Method': { 'Properties.HttpMethod': always, 'Properties.ResourceId': always },
  // An action may run a function. CloudFormation would write an alarm of the same name over the other one.
  'AWS::CloudWatch::Alarm': {
    Properties: (was, is) =>
      ['AlarmActions', 'InsufficientDataActions', 'OKActions'].every((name) =>
        isDeepStrictEqual(field(was, name), field(is, name)),
      ),
  },
  // Of the same API.
  'AWS::Lambda::Permission': {
    'Properties.SourceArn': (was, is) => String(was).split('/')[0] === String(is).split('/')[0],
  },
};

/** Whether a resource may be new. */
export function mayBeNew(resource: Resource, deployed: readonly Resource[]): boolean {
  const allowed = field(LIKE_ANOTHER, resource.Type) as Allowed | undefined;
  const isLike = (each: Resource) => changesOf(each, resource, { ...NOTES, ...allowed }).length === 0;
  const name = field(resource.Properties, 'AlarmName');
  const isSecond =
    name !== undefined &&
    deployed.some((each) => isDeepStrictEqual(field(each.Properties, 'AlarmName'), name));
  return HARMLESS.includes(resource.Type) || (allowed !== undefined && !isSecond && deployed.some(isLike));
}
