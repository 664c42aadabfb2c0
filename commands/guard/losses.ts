import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { oneLine, visible } from '../../cli/print.ts';
import { OUTPUTS } from '../../infra/names.ts';
import type { Resource, Template } from './templates.ts';

/** Something that a deployment would lose, or that the guard does not know. */
export interface Loss {
  /** The logical id of the resource, or the name of a section of the template. */
  readonly id: string;
  readonly line: string;
}

/** Whether a change may pass, from the value before to the one after (undefined: absent). */
type Rule = (was: unknown, is: unknown) => boolean;

const always: Rule = () => true;
const becomes =
  (...values: readonly unknown[]): Rule =>
  (_, is) =>
    values.includes(is);
/** A figure may change tenfold, or by another factor: with more, an alarm would never fire, and a limit limit nothing or everything. */
const isSimilar =
  ({ absent, fold = 10 }: { absent?: number; fold?: number } = {}): Rule =>
  (was = absent, is) =>
    typeof was === 'number' && typeof is === 'number' && is <= was * fold && is * fold >= was;
/** A list may only get more elements. */
const grows: Rule = (was = [], is = []) =>
  [was].flat().every((each) => [is].flat().some((other) => isDeepStrictEqual(each, other)));
/** The same, but for the digits that the CDK appends to the ids of versions and of deployments. */
const isNext: Rule = (was, is) => withoutDigits(was) === withoutDigits(is);
const withoutDigits = (value: unknown) => JSON.stringify(value)?.replaceAll(/[0-9a-f]{32}/g, '');

/** The headers of CORS protect no data, but not with credentials; what else clients read may not change. */
const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers', 'vary'].map(
  (name) => `ResponseParameters.gatewayresponse.header.${name}`,
);
const each = (rule: Rule, ...paths: string[]) => Object.fromEntries(paths.map((path) => [path, rule]));

/**
 * The only properties that may change, by type; `*` is any place in a list. None of them replaces its resource. The meaning of
 * each is from AWS's CloudFormation Template Reference. A new permission, variable or field of the log is read and accepted.
 */
export const ALLOWED: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  'AWS::DynamoDB::GlobalTable': {
    'Replicas.*.DeletionProtectionEnabled': becomes(true),
    'Replicas.*.ReadOnDemandThroughputSettings.MaxReadRequestUnits': isSimilar({ absent: 1_000 }),
    // One plant of 400 KB needs 400.
    'WriteOnDemandThroughputSettings.MaxWriteRequestUnits': isSimilar({ absent: 4_000 }),
    'Replicas.*.Tags': grows,
  },
  'AWS::Logs::LogGroup': {
    DeletionProtectionEnabled: becomes(true),
    RetentionInDays: (was = Infinity, is = Infinity) => Number(is) >= Number(was),
  },
  'AWS::Lambda::Function': {
    ...each(always, 'Architectures', 'Code', 'Description', 'Handler', 'Runtime', 'TracingConfig'),
    ...each(always, 'Environment.Variables.ALLOWED_ORIGINS', 'Environment.Variables.AWS_LAMBDA_EXEC_WRAPPER'),
    ...each(isSimilar({ fold: 3 }), 'MemorySize', 'Timeout'),
    // 0 stops the service.
    ReservedConcurrentExecutions: (was, is) => is === undefined || isSimilar({ absent: 100 })(was, is),
  },
  'AWS::Lambda::Alias': { Description: always, FunctionVersion: isNext },
  'AWS::ApiGateway::RestApi': { Description: always, Name: always },
  'AWS::ApiGateway::GatewayResponse': each(always, 'ResponseTemplates', ...CORS_HEADERS),
  'AWS::ApiGateway::Deployment': { Description: always },
  'AWS::ApiGateway::Stage': {
    DeploymentId: isNext,
    ...each(isSimilar(), 'MethodSettings.*.ThrottlingBurstLimit', 'MethodSettings.*.ThrottlingRateLimit'),
    ...each(always, 'Description', 'TracingEnabled'),
  },
  // API Gateway refuses a certificate for another name.
  'AWS::ApiGateway::DomainName': { RegionalCertificateArn: (_, is) => typeof is === 'string' },
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
    DeploymentConfigName: (_, is) => /^CodeDeployDefault\.Lambda(Canary|Linear)/.test(String(is)),
  },
};

/** The attributes and properties that may change in each type. */
const OF_ANY_TYPE: Readonly<Record<string, Rule>> = {
  ...each(always, 'DependsOn', 'Metadata'),
  DeletionPolicy: becomes('Retain', 'RetainExceptOnCreate'),
  UpdateReplacePolicy: becomes('Retain'),
  // Again after a deployment with `-c canary=off`, which has none.
  UpdatePolicy: (was) => was === undefined,
  'Properties.Tags': grows,
};

/** Of the parameters: a new CDK may describe its own in other words. */
const NOTES = { 'BootstrapVersion.Description': always };

/** Each deployment has new ones in place of the earlier ones, whose ids have a digest of the code or of the API. */
const EACH_TIME = ['AWS::Lambda::Version', 'AWS::ApiGateway::Deployment'];
/** These may come, change and go: they hold no data and no address. */
const FREE = ['AWS::CloudWatch::Dashboard', 'AWS::Logs::QueryDefinition'];
/** New ones of these types give no access, take no address and do not stand before the API. */
const MAY_BE_NEW = [
  ...EACH_TIME,
  'AWS::ApiGateway::Resource',
  'AWS::CloudWatch::Alarm',
  'AWS::Logs::LogGroup',
];

/**
 * Finds what a deployment would lose: a resource that is removed, and each change that is not known to be harmless.
 * @param before the deployed template
 * @param after the template to deploy
 */
export function findLosses(before: Template, after: Template): Loss[] {
  const sections = [...new Set([before, after].flatMap(Object.keys))].filter(
    (name) => !['Description', 'Metadata', 'Outputs', 'Resources', 'Rules'].includes(name),
  );
  return [
    ...sections.flatMap((name) => losses(name, name, field(before, name), field(after, name), NOTES)),
    ...[...new Set([before, after].flatMap(({ Resources }) => Object.keys(Resources)))].flatMap((id) =>
      lossOf(id, before.Resources, after.Resources),
    ),
    ...Object.values(OUTPUTS).flatMap((id) => {
      const [was, is] = [before, after].map(({ Outputs }) => field(field(Outputs, id), 'Value'));
      return losses(id, `The output ${id}`, was, is, {});
    }),
  ];
}

function lossOf(id: string, was: Template['Resources'], is: Template['Resources']): Loss[] {
  const [before, after] = [field(was, id), field(is, id)] as (Resource | undefined)[];
  const type = String((before ?? after)?.Type);
  const name = `${id} (${type})`;
  if ([before, after].every((each) => !each || FREE.includes(each.Type))) return [];
  if (before && after) {
    const own = Object.entries(field(ALLOWED, type) ?? {}).map(([path, rule]) => [
      `Properties.${path}`,
      rule,
    ]);
    return losses(id, name, before, after, { ...OF_ANY_TYPE, ...Object.fromEntries(own) });
  }
  if (after) {
    // CloudFormation would write an alarm of the same name over the other one.
    const isSecond = Object.values(was).some((each) => isDeepStrictEqual(nameOf(each), nameOf(after)));
    if (MAY_BE_NEW.includes(type) && !(nameOf(after) && isSecond)) return [];
    return [loss(id, `${name} is new, and not known to be harmless. [${digest(after)}]`)];
  }
  if (EACH_TIME.includes(type)) return [];
  const fate = /^Retain/.test(String(before?.DeletionPolicy)) ? 'left behind, unused' : 'deleted';
  const successors = Object.keys(is).filter((each) => is[each]?.Type === type && !field(was, each));
  const successor =
    successors.length > 0 ? `; new: ${successors.join(', ')} (was the id of a construct changed?)` : '';
  return [loss(id, `${name} would be removed from the stack and ${fate}${successor}.`)];
}

const nameOf = ({ Properties }: Resource) => field(Properties, 'AlarmName');

function losses(id: string, name: string, was: unknown, is: unknown, allowed: Record<string, Rule>): Loss[] {
  const changes = changesOf(was, is, allowed);
  return changes.length === 0 ? [] : [loss(id, `${name}: ${changes.join('; ')}.`)];
}

/** The changes of a value that are not allowed, each in words. @param allowed rules by paths; a part without one may not change */
function changesOf(was: unknown, is: unknown, allowed: Record<string, Rule>, path = ''): string[] {
  if (isDeepStrictEqual(was, is)) return [];
  const rule = field(allowed, path.replaceAll(/\.\d+(?=\.|$)/g, '.*')) as Rule | undefined;
  if (rule?.(was, is)) return [];
  const parts = rule ? [] : partsOf(was ?? {}, is ?? {});
  if (parts.length > 0)
    return parts.flatMap((key) =>
      changesOf(field(was, key), field(is, key), allowed, path === '' ? key : `${path}.${key}`),
    );
  const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  return [`${path.replace(/^Properties\./, '') || 'it'} changes from ${text(was)} to ${text(is)}`];
}

/** The keys by which two values are compared part by part; none if they can only be compared as a whole. */
function partsOf(was: unknown, is: unknown): string[] {
  if (Array.isArray(was) !== Array.isArray(is) || typeof was !== 'object' || typeof is !== 'object')
    return [];
  if (Array.isArray(was) && was.length !== (is as unknown[]).length) return [];
  return [...new Set([was, is].flatMap((each) => Object.keys(each ?? {})))];
}

/** A part of an object or a list, but not what every JavaScript object has, such as `constructor`. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

const loss = (id: string, line: string): Loss => ({ id, line: visible(oneLine(line)) });

/** What a line leaves out, so that nobody who accepts the line accepts anything else. */
const digest = (leftOut: unknown) => hash('sha256', JSON.stringify(leftOut)).slice(0, 12);
