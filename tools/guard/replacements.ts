import { isDeepStrictEqual } from 'node:util';
import { NOTES } from './allowed.ts';
import { field } from './canonical.ts';
import { changesOf } from './changes.ts';
import { always } from './rules.ts';
import type { Resource } from './templates.ts';

/** Each deployment has new ones in place of the earlier ones, whose ids have a digest of the code or of the API. */
export const EACH_TIME: readonly string[] = ['AWS::Lambda::Version', 'AWS::ApiGateway::Deployment'];

/**
 * What AWS knows each of these by: a property, or nothing if there can be only one. CloudFormation may write a second one over the
 * first, and deletes both with one of them.
 */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['AWS::ApiGateway::Account', ''],
  ['AWS::ApiGateway::GatewayResponse', 'ResponseType'],
  ['AWS::CloudWatch::Alarm', 'AlarmName'],
  ['AWS::CloudWatch::Dashboard', 'DashboardName'],
  ['AWS::IAM::Policy', 'PolicyName'],
  ['AWS::Logs::MetricFilter', 'FilterName'],
  ['AWS::SNS::TopicPolicy', ''],
  ['AWS::WAFv2::WebACLAssociation', ''],
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
  const name = NAMES.get(one.Type);
  if (one.Type !== other.Type || name === undefined) return false;
  const value = field(one.Properties, name);
  return name === '' || (value !== undefined && isDeepStrictEqual(value, field(other.Properties, name)));
}
