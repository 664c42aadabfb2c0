import { isDeepStrictEqual } from 'node:util';
import { allowedChanges, NOTES } from './allowed.ts';
import { field } from './canonical.ts';
import { type Allowed, changesOf } from './changes.ts';
import { always } from './rules.ts';
import type { Resource } from './templates.ts';

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
