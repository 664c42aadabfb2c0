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
type Rule = (before: unknown, after: unknown) => boolean;
/** Rules by the paths of what they allow to change; `*` is any place in a list. */
type Rules = Readonly<Record<string, Rule>>;

const always: Rule = () => true;
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
const isSame =
  (...names: string[]): Rule =>
  (before, after) =>
    names.every((name) => isDeepStrictEqual(field(before, name), field(after, name)));

/** The headers of CORS protect no data, but not with credentials; what else clients read may not change. */
const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers', 'vary'].map(
  (name) => `ResponseParameters.gatewayresponse.header.${name}`,
);
const each = (rule: Rule, ...paths: string[]): Rules => Object.fromEntries(paths.map((path) => [path, rule]));

/**
 * The only properties that may change, by type; `*` is any place in a list. None of them replaces its resource. The meaning of
 * each is from AWS's CloudFormation Template Reference. A new permission, variable or field of the log is read and accepted.
 */
export const ALLOWED: Readonly<Record<string, Rules>> = {
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

/** The attributes and properties that may change in each type. */
const OF_ANY_TYPE: Rules = {
  ...each(always, 'DependsOn', 'Metadata'),
  DeletionPolicy: becomes('Retain', 'RetainExceptOnCreate'),
  UpdateReplacePolicy: becomes('Retain'),
  // Again after a deployment with `-c canary=off`, which has none.
  UpdatePolicy: (before) => before === undefined,
  'Properties.Tags': growsByKeys,
};

/** Sections that change no resource. */
const HARMLESS_SECTIONS = [
  'AWSTemplateFormatVersion',
  'Description',
  'Metadata',
  'Outputs',
  'Resources',
  'Rules',
];
/** A new CDK may describe its own parameter in other words. */
const PARAMETER_RULES: Rules = { 'BootstrapVersion.Description': always };

/** Each deployment has new ones in place of the earlier ones, whose ids have a digest of the code or of the API. */
const REPLACED_TYPES = ['AWS::Lambda::Version', 'AWS::ApiGateway::Deployment'];
/** These may come, change and go: they hold no data and no address. */
const UNCHECKED_TYPES = ['AWS::CloudWatch::Dashboard', 'AWS::Logs::QueryDefinition'];
/** New ones of these types give no access, take no address and do not stand before the API. */
const HARMLESS_NEW_TYPES = ['AWS::ApiGateway::Resource', 'AWS::Logs::LogGroup'];
/** New ones of these types may differ from a deployed one only in this: a version of another function is no deployment of ours. */
const LIKE_DEPLOYED: Readonly<Record<string, Rules>> = {
  ...Object.fromEntries(REPLACED_TYPES.map((type) => [type, {}])),
  // An action may run a function.
  'AWS::CloudWatch::Alarm': { Properties: isSame('AlarmActions', 'InsufficientDataActions', 'OKActions') },
};

/**
 * Finds what a deployment would lose: a resource that is removed, and each change that is not known to be harmless.
 * @param before the deployed template
 * @param after the template to deploy
 */
export function findLosses(before: Template, after: Template): Loss[] {
  if (isDeepStrictEqual(before, after)) return [];
  const ids = [before, after].flatMap(({ Resources }) => Object.keys(Resources));
  return [
    ...changeOf('Parameters', 'Parameters', ...both(before, after, 'Parameters'), PARAMETER_RULES),
    ...[...new Set([before, after].flatMap(Object.keys))].flatMap((name) => sectionLoss(name, before, after)),
    ...[...new Set(ids)].flatMap((id) => resourceLoss(id, before.Resources, after.Resources)),
    ...Object.values(OUTPUTS).flatMap((id) => {
      const [output, newOutput] = [before, after].map(({ Outputs }) => field(field(Outputs, id), 'Value'));
      return changeOf(id, `The output ${id}`, output, newOutput, {});
    }),
  ];
}

/** A section such as `Transform` or `Conditions`: only CloudFormation knows what it makes of a template, changed or not. */
function sectionLoss(name: string, before: Template, after: Template): Loss[] {
  if ([...HARMLESS_SECTIONS, 'Parameters'].includes(name)) return [];
  const line = `${name}: the template has this section, so its changes cannot be judged. [${digest([before, after])}]`;
  return [loss(name, line)];
}

const both = (before: unknown, after: unknown, name: string) =>
  [field(before, name), field(after, name)] as const;

function resourceLoss(id: string, deployed: Template['Resources'], next: Template['Resources']): Loss[] {
  const [before, after] = both(deployed, next, id) as readonly (Resource | undefined)[];
  const type = String((before ?? after)?.Type);
  const name = `${id} (${type})`;
  if ([before, after].every((each) => !each || UNCHECKED_TYPES.includes(each.Type))) return [];
  if (before && after) return changeOf(id, name, before, after, rulesOf(type));
  if (after) {
    if (mayBeNew(after, Object.values(deployed))) return [];
    return [loss(id, `${name} is new, and not known to be harmless. [${digest(after)}]`)];
  }
  if (REPLACED_TYPES.includes(type)) return [];
  const fate = /^Retain/.test(String(before?.DeletionPolicy)) ? 'left behind, unused' : 'deleted';
  const successors = Object.keys(next).filter((each) => next[each]?.Type === type && !field(deployed, each));
  const successor =
    successors.length > 0 ? `; new: ${successors.join(', ')} (was the id of a construct changed?)` : '';
  return [loss(id, `${name} would be removed from the stack and ${fate}${successor}.`)];
}

function rulesOf(type: string): Rules {
  const ofType = Object.entries((field(ALLOWED, type) as Rules | undefined) ?? {});
  return {
    ...OF_ANY_TYPE,
    ...Object.fromEntries(ofType.map(([path, rule]) => [`Properties.${path}`, rule])),
  };
}

function mayBeNew(resource: Resource, deployed: readonly Resource[]): boolean {
  const name = field(resource.Properties, 'AlarmName');
  // CloudFormation would write an alarm of the same name over the other one.
  if (name && deployed.some((each) => isDeepStrictEqual(field(each.Properties, 'AlarmName'), name)))
    return false;
  const like = field(LIKE_DEPLOYED, resource.Type) as Rules | undefined;
  const rules = { ...rulesOf(resource.Type), ...like };
  return like
    ? deployed.some((each) => each.Type === resource.Type && changesOf(each, resource, rules).length === 0)
    : HARMLESS_NEW_TYPES.includes(resource.Type);
}

function changeOf(id: string, name: string, before: unknown, after: unknown, rules: Rules): Loss[] {
  const changes = changesOf(before, after, rules);
  return changes.length === 0 ? [] : [loss(id, `${name}: ${changes.join('; ')}.`)];
}

/** The changes of a value that are not allowed, each in words. @param rules a part without one may not change */
function changesOf(before: unknown, after: unknown, rules: Rules, path = ''): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const rule = field(rules, path.replaceAll(/\.\d+(?=\.|$)/g, '.*')) as Rule | undefined;
  if (rule?.(before, after)) return [];
  const parts = rule ? [] : partsOf(before ?? {}, after ?? {});
  if (parts.length > 0)
    return parts.flatMap((key) =>
      changesOf(field(before, key), field(after, key), rules, path === '' ? key : `${path}.${key}`),
    );
  const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  return [`${path.replace(/^Properties\./, '') || 'it'} changes from ${text(before)} to ${text(after)}`];
}

/** The keys by which two values are compared part by part; none if they can only be compared as a whole. */
function partsOf(before: unknown, after: unknown): string[] {
  if (
    Array.isArray(before) !== Array.isArray(after) ||
    typeof before !== 'object' ||
    typeof after !== 'object'
  )
    return [];
  if (Array.isArray(before) && before.length !== (after as unknown[]).length) return [];
  return [...new Set([before, after].flatMap((each) => Object.keys(each ?? {})))];
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
