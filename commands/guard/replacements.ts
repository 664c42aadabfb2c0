import { isDeepStrictEqual } from 'node:util';
import { allowedChanges, NOTES } from './allowed.ts';
import { field } from './canonical.ts';
import { type Allowed, changesOf } from './changes.ts';
import { always } from './rules.ts';
import type { Resource } from './templates.ts';

/** Each deployment has new ones in place of the earlier ones, whose ids have a digest of the code or of the API. */
export const EACH_TIME: readonly string[] = ['AWS::Lambda::Version', 'AWS::ApiGateway::Deployment'];

/** New ones give no access, take no address and do not stand before the API. */
const HARMLESS = [
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Resource',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
];

/** The properties in which a new resource may differ from a deployed one of its type. */
const LIKE_ANOTHER: Readonly<Record<string, Allowed>> = {
  ...Object.fromEntries(EACH_TIME.map((type) => [type, allowedChanges(type)])),
  'AWS::ApiGateway::Method': { 'Properties.HttpMethod': always, 'Properties.ResourceId': always },
  'AWS::IAM::Policy': { 'Properties.PolicyName': always },
  // Of the same API.
  'AWS::Lambda::Permission': {
    'Properties.SourceArn': (was, is) => String(was).split('/')[0] === String(is).split('/')[0],
  },
};

/** Whether a resource may be new. */
export function mayBeNew(resource: Resource, deployed: readonly Resource[]): boolean {
  const allowed = field(LIKE_ANOTHER, resource.Type) as Allowed | undefined;
  const isLike = (each: Resource) => changesOf(each, resource, { ...NOTES, ...allowed }).length === 0;
  return HARMLESS.includes(resource.Type) || (allowed !== undefined && deployed.some(isLike));
}

/**
 * What AWS knows each of these by. CloudFormation may write a second one over the first, and deletes both with one of them.
 */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['AWS::ApiGateway::GatewayResponse', 'ResponseType'],
  ['AWS::CloudWatch::Alarm', 'AlarmName'],
  ['AWS::CloudWatch::Dashboard', 'DashboardName'],
  ['AWS::IAM::Policy', 'PolicyName'],
  ['AWS::Logs::MetricFilter', 'FilterName'],
]);

/**
 * The types that may be replaced like for like, under another name: CloudFormation makes the new resource, then deletes the
 * other one, and nothing is missing meanwhile.
 */
const LIKE_FOR_LIKE = ['AWS::IAM::Policy', 'AWS::Lambda::Permission', 'AWS::Logs::MetricFilter'];

/** Whether a new resource can take the place of one that is removed. */
export function canReplace(was: Resource, is: Resource): boolean {
  const allowed = { ...NOTES, [`Properties.${NAMES.get(was.Type)}`]: always };
  return LIKE_FOR_LIKE.includes(was.Type) && changesOf(was, is, allowed).length === 0;
}

/** Whether two resources are the same one for AWS. */
export function haveSameName(one: Resource, other: Resource): boolean {
  const value = field(one.Properties, NAMES.get(one.Type) ?? '');
  return (
    one.Type === other.Type &&
    value !== undefined &&
    isDeepStrictEqual(value, field(other.Properties, NAMES.get(one.Type) ?? ''))
  );
}
