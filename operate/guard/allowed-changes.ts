import { isDeepStrictEqual } from 'node:util';
import { field } from './templates.ts';

/** Whether a change may pass, from the value before to the one after (undefined: absent). */
export type Rule = (before: unknown, after: unknown) => boolean;
/** Rules by the paths of what they allow to change; `*` is any place in a list. */
export type Rules = Readonly<Record<string, Rule>>;

export const always: Rule = () => true;
const becomes =
  (...values: readonly unknown[]): Rule =>
  (_, after) =>
    values.includes(after);
/** A figure may change tenfold, or by another factor: with more, an alarm would never fire, and a limit limit nothing or everything. */
const isSimilar =
  ({ absent, fold = 10 }: { absent?: number; fold?: number } = {}): Rule =>
  (before = absent, after) =>
    typeof before === 'number' &&
    typeof after === 'number' &&
    after <= before * fold &&
    after * fold >= before;
/** A list may only get more elements. */
const grows: Rule = (before = [], after = []) =>
  Array.isArray(after) &&
  [before].flat().every((element) => after.some((each) => isDeepStrictEqual(each, element)));
/** So may tags, but none with a key that is there: backups and access policies select by them. */
const growsByKeys: Rule = (before, after) =>
  grows(before, after) &&
  new Set((after as unknown[]).map((tag) => field(tag, 'Key'))).size === (after as unknown[]).length;
/** The same, but for the digits that the CDK appends to the ids of versions and of deployments. */
const isNext: Rule = (before, after) => withoutDigits(before) === withoutDigits(after);
const withoutDigits = (value: unknown) => JSON.stringify(value)?.replaceAll(/[0-9a-f]{32}/g, '');
const keeps =
  (...names: string[]): Rule =>
  (before, after) =>
    names.every((name) => isDeepStrictEqual(field(before, name), field(after, name)));

/** The headers of CORS protect no data, but not with credentials; what else clients read may not change. */
const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers', 'vary'].map(
  (name) => `ResponseParameters.gatewayresponse.header.${name}`,
);
const each = (rule: Rule, ...paths: string[]): Rules => Object.fromEntries(paths.map((path) => [path, rule]));

/**
 * The only properties that may change, by type. None of them replaces its resource. The meaning of each is from AWS's CloudFormation
 * Template Reference. A new permission, variable or field of the log is read and accepted.
 */
export const MAY_CHANGE: Readonly<Record<string, Rules>> = {
  'AWS::DynamoDB::GlobalTable': {
    'Replicas.*.DeletionProtectionEnabled': becomes(true),
    'Replicas.*.ReadOnDemandThroughputSettings.MaxReadRequestUnits': isSimilar({ absent: 1_000 }),
    // One plant of 400 KB needs 400.
    'WriteOnDemandThroughputSettings.MaxWriteRequestUnits': isSimilar({ absent: 4_000 }),
    'Replicas.*.Tags': growsByKeys,
  },
  'AWS::Logs::LogGroup': {
    DeletionProtectionEnabled: becomes(true),
    RetentionInDays: (before = Infinity, after = Infinity) => Number(after) >= Number(before),
  },
  'AWS::Lambda::Function': {
    ...each(always, 'Architectures', 'Code', 'Description', 'Handler', 'Runtime', 'TracingConfig'),
    ...each(always, 'Environment.Variables.ALLOWED_ORIGINS', 'Environment.Variables.AWS_LAMBDA_EXEC_WRAPPER'),
    ...each(isSimilar({ fold: 3 }), 'MemorySize', 'Timeout'),
    // 0 stops the service.
    ReservedConcurrentExecutions: (before, after) =>
      after === undefined || isSimilar({ absent: 100 })(before, after),
  },
  'AWS::Lambda::Alias': { Description: always, FunctionVersion: isNext },
  'AWS::ApiGateway::RestApi': { Description: always, Name: always },
  'AWS::ApiGateway::GatewayResponse': each(always, 'ResponseTemplates', ...CORS_HEADERS),
  'AWS::ApiGateway::Deployment': { Description: always },
  'AWS::ApiGateway::Stage': {
    DeploymentId: isNext,
    ...each(isSimilar(), 'MethodSettings.*.ThrottlingBurstLimit', 'MethodSettings.*.ThrottlingRateLimit'),
    ...each(always, 'Description', 'TracingEnabled'),
    'MethodSettings.*.MetricsEnabled': becomes(true),
  },
  // API Gateway refuses a certificate for another name.
  'AWS::ApiGateway::DomainName': { RegionalCertificateArn: (_, after) => typeof after === 'string' },
  'AWS::WAFv2::WebACL': { 'Rules.*.Statement.RateBasedStatement.Limit': isSimilar() },
  'AWS::CloudWatch::Alarm': {
    ActionsEnabled: becomes(true, undefined),
    ...each(always, 'AlarmDescription', 'Metrics.*.Label'),
    // Thus SlowRequests, at 3.5 s, stays below the timeout of 6 s.
    Threshold: isSimilar({ fold: 1.5 }),
  },
  'AWS::CodeDeploy::DeploymentGroup': {
    ...each(grows, 'AlarmConfiguration.Alarms', 'AutoRollbackConfiguration.Events'),
    ...each(becomes(true), 'AlarmConfiguration.Enabled', 'AutoRollbackConfiguration.Enabled'),
    DeploymentConfigName: (_, after) => /^CodeDeployDefault\.Lambda(Canary|Linear)/.test(String(after)),
  },
};

/** The attributes and properties that may change in any type. */
const OF_ANY_TYPE: Rules = {
  ...each(always, 'DependsOn', 'Metadata'),
  DeletionPolicy: becomes('Retain', 'RetainExceptOnCreate'),
  UpdateReplacePolicy: becomes('Retain'),
  // Again after a deployment with `-c canary=off`, which has none.
  UpdatePolicy: (before) => before === undefined,
  'Properties.Tags': growsByKeys,
};

/** Resources that may be new: any of the type, or one that differs from a deployed one in no more than this. */
export const MAY_COME: Readonly<Record<string, 'any' | Rules>> = {
  // They give no access, take no address and do not stand before the API.
  'AWS::ApiGateway::Resource': 'any',
  'AWS::CloudWatch::Dashboard': 'any',
  'AWS::Logs::LogGroup': 'any',
  'AWS::Logs::QueryDefinition': 'any',
  // Each deployment has new ones in place of the earlier ones; a version of another function is no deployment of ours.
  'AWS::ApiGateway::Deployment': {},
  'AWS::Lambda::Version': {},
  // An action may run a function.
  'AWS::CloudWatch::Alarm': { Properties: keeps('AlarmActions', 'InsufficientDataActions', 'OKActions') },
};

/** These hold no data and no address. Of those that come freely, any property may change, too. */
export const MAY_GO = [
  'AWS::ApiGateway::Deployment',
  'AWS::CloudWatch::Dashboard',
  'AWS::Lambda::Version',
  'AWS::Logs::QueryDefinition',
];

/** The rules for what may change in a resource, by the paths in it. */
export function rulesOf(type: string): Rules {
  const ofType = Object.entries((field(MAY_CHANGE, type) as Rules | undefined) ?? {});
  const properties = ofType.map(([path, rule]) => [`Properties.${path}`, rule]);
  return { ...OF_ANY_TYPE, ...Object.fromEntries(properties) };
}
