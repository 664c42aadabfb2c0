import { isDeepStrictEqual } from 'node:util';
import { text } from './loss.ts';
import { type Fields, field, isFields, isResolvedLater, referencesOf } from './references.ts';
import type { Template } from './templates.ts';

/** A statement of a policy for one action and one resource; whole, if that is not how it is written. */
export type Permission = Fields;

/** Whether a role is, or was, that of the function: its versions keep the role with which they were published. */
export function isFunctionRole(id: string, { Resources }: Template): boolean {
  const role = Resources[id];
  if (role?.Type !== 'AWS::IAM::Role') return false;
  const trusted = JSON.stringify(field(role.Properties, 'AssumeRolePolicyDocument') ?? '');
  const functions = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  return trusted.includes('lambda') || functions.some((each) => refersTo(field(each.Properties, 'Role'), id));
}

/** The permissions of a role: those of its own policies, and of the ones that the template attaches to it. */
export function permissionsOf(id: string, { Resources }: Template): Permission[] {
  const own = Resources[id]?.Properties;
  const attached = Object.values(Resources).filter(
    ({ Type, Properties }) => Type === 'AWS::IAM::Policy' && refersTo(Properties, id),
  );
  return [
    ...listOf(field(own, 'ManagedPolicyArns') ?? []).map((ManagedPolicyArn) => ({ ManagedPolicyArn })),
    ...listOf(field(own, 'Policies') ?? []).flatMap((policy) => statementsOf(policy)),
    ...attached.flatMap(({ Properties, Condition }) => statementsOf(Properties, Condition)),
  ];
}

/** @param existsIf the condition of CloudFormation on which the policy depends */
function statementsOf(policy: unknown, existsIf?: unknown): Permission[] {
  const document = field(policy, 'PolicyDocument');
  const isPlain = ![policy, document].some(isResolvedLater) && field(document, 'Statement') !== undefined;
  const condition = existsIf === undefined ? {} : { existsIf: { Condition: existsIf } };
  if (!isPlain) return [{ policy, ...condition }];
  return listOf(field(document, 'Statement')).flatMap((statement): Permission[] => {
    if (!isFields(statement)) return [{ statement, ...condition }];
    const { Sid: _, Action, Resource, ...others } = statement;
    return listOf(Action).flatMap((action) =>
      listOf(Resource).map((resource) => ({
        ...others,
        ...condition,
        ...(action !== undefined && { Action: action }),
        ...(resource !== undefined && { Resource: resource }),
      })),
    );
  });
}

/** Whether a permission allows, or denies, all that another does: it is the same, or the same without its condition. */
export function covers(permission: Permission, other: Permission): boolean {
  const { Condition: _, ...unconditional } = other;
  return [other, unconditional].some((each) => isDeepStrictEqual(permission, each));
}

/** A permission in words, such as `dynamodb:PutItem on {Plants.Arn}`. */
export function inWords({ Action, Resource, ...others }: Permission): string {
  if (typeof Action !== 'string' || Resource === undefined) return text({ Action, Resource, ...others });
  const { Effect, ...rest } = others;
  const details = Effect === 'Allow' ? rest : others;
  return `${Action} on ${arnText(Resource)}${Object.keys(details).length > 0 ? ` with ${text(details)}` : ''}`;
}

/** An ARN without the functions of CloudFormation, which would hide the name at its end. */
function arnText(value: unknown): string {
  const [name, join] = [field(value, 'Ref'), field(value, 'Fn::Join')];
  const attribute = field(value, 'Fn::GetAtt');
  if (typeof value === 'string') return value;
  if (typeof name === 'string') return `{${name}}`;
  if (Array.isArray(attribute)) return `{${attribute.join('.')}}`;
  if (Array.isArray(join) && join[0] === '' && Array.isArray(join[1])) return join[1].map(arnText).join('');
  return text(value);
}

const refersTo = (value: unknown, id: string) => referencesOf(value).some(({ name }) => name === id);

/** A list, or a single value without its brackets, as IAM allows; nothing is one value, which is absent. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
