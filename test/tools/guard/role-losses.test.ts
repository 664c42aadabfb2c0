import { describe, expect, test } from 'vitest';
import { judgeLosses } from '../../../tools/guard/acceptance.ts';
import { findLosses } from '../../../tools/guard/losses.ts';
import type { Json } from '../../infra/synth.ts';
import {
  add,
  both,
  type Change,
  changed,
  deployed,
  nothing,
  remove,
  sentences,
  setAttributes,
  setProperties,
  setSections,
} from './changes.ts';

const ROLE = 'FunctionRole111A5701';
const POLICY = 'FunctionRoleDefaultPolicy41A10F9C';
const BREAKS = `The role ${ROLE} may break earlier versions of the function: `;
const LOSES_PUT = 'loses dynamodb:PutItem on {PlantsF7D2F15D.Arn}';

const trusted = (Service: unknown) => ({ Statement: [{ Action: 'sts:AssumeRole', Principal: { Service } }] });
const role = (properties: Json) => setProperties(ROLE, properties);
const statements = (change: (list: Json[]) => unknown): Change => {
  return ({ Resources }) => change(Resources[POLICY].Properties.PolicyDocument.Statement);
};
/** Changes the first statement, which allows to put plants. */
const put = (change: Json) => statements(([first]) => Object.assign(first, change));
const policy = (...Statement: Json[]) => ({
  Type: 'AWS::IAM::Policy',
  Properties: { PolicyDocument: { Statement }, PolicyName: 'Extra', Roles: [{ Ref: ROLE }] },
});
const allow = (Action: string, others: Json = {}) => ({ Effect: 'Allow', Action, Resource: '*', ...others });
const onlyHere = { StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } };
const never = setSections({ Conditions: { A: { 'Fn::Equals': ['a', 'b'] } } });
const always = setSections({ Conditions: { A: { 'Fn::Equals': ['a', 'a'] } } });
const ofDeployments = { Roles: [{ Ref: 'DeploymentServiceRole806EBC5E' }] };

describe('refused, because the version that still serves may need it', () => {
  test.each<[what: string, change: Change, words: string]>([
    ['a removed action', statements((list) => list.shift()), LOSES_PUT],
    ['an action of several', statements((list) => list[3].Action.pop()), 'loses xray:PutTraceSegments on *'],
    ['another action instead', put({ Action: 'dynamodb:UpdateItem' }), LOSES_PUT],
    ['another resource instead', put({ Resource: { 'Fn::GetAtt': ['Other', 'Arn'] } }), LOSES_PUT],
    ['a condition', put({ Condition: onlyHere }), LOSES_PUT],
    [
      'a removed policy',
      remove(POLICY),
      `${LOSES_PUT}; loses dynamodb:GetItem on {AccessTokensB65260D5.Arn}; …`,
    ],
    ['the policy of another role', setProperties(POLICY, ofDeployments), `${LOSES_PUT}; …`],
    [
      'a policy that exists only on a condition',
      both(add('Extra', policy()), never, setAttributes(POLICY, { Condition: 'A' })),
      `${LOSES_PUT}; …`,
    ],
    [
      'a denial',
      add('Extra', policy(allow('dynamodb:PutItem', { Effect: 'Deny' }))),
      'gets dynamodb:PutItem on * with {"Effect":"Deny"}',
    ],
    [
      'a statement that only CloudFormation can read',
      add('Extra', policy({ 'Fn::If': ['Never', allow('a:B'), allow('a:B')] })),
      'gets {"Fn::If":["Never",{"Effect":"Allow","Action":"a:B","Resource":"*"},…',
    ],
    [
      'a policy that a macro writes',
      both(
        add('Extra', { Type: 'AWS::IAM::Policy', Properties: { 'Fn::Transform': { Name: 'M' } } }),
        setProperties('Extra', policy(allow('a:B')).Properties),
      ),
      'gets {"policy":{"Fn::Transform":{"Name":"M"},"PolicyDocument":…',
    ],
    ['a managed policy', role({ ManagedPolicyArns: ['arn:a'] }), 'gets {"ManagedPolicyArn":"arn:a"}'],
    ['a boundary', role({ PermissionsBoundary: 'a' }), 'PermissionsBoundary changes from nothing to "a"'],
    [
      'another service that may assume it',
      role({ AssumeRolePolicyDocument: trusted('ec2.amazonaws.com') }),
      'AssumeRolePolicyDocument.Statement[0].Effect changes from "Allow" to nothing; …',
    ],
    ['a condition of the role', setAttributes(ROLE, { Condition: 'A' }), 'Condition changes from …'],
  ])('%s', (_, change, words) => {
    const [loss, ...others] = findLosses(deployed, changed(change));
    expect(others).toEqual([]);
    expect(loss?.id).toBe(ROLE);
    // An ellipsis at the end: and so on.
    const expected = BREAKS + words.replace(/…$/, '');
    expect(loss?.sentence.slice(0, words.endsWith('…') ? expected.length : -1)).toBe(expected);
  });

  test.each<[what: string, before: Change, after: Change, words: string]>([
    [
      'an inline policy',
      role({ Policies: [{ PolicyName: 'A', PolicyDocument: { Statement: allow('a:B') } }] }),
      role({ Policies: [] }),
      'loses a:B on *',
    ],
    [
      'a managed policy',
      role({ ManagedPolicyArns: ['a', 'b'] }),
      role({ ManagedPolicyArns: ['b'] }),
      'loses {"ManagedPolicyArn":"a"}',
    ],
    [
      'another condition',
      put({ Condition: onlyHere }),
      put({ Condition: { Bool: { 'aws:SecureTransport': 'true' } } }),
      `${LOSES_PUT} with {"Condition":{"StringEquals":{"aws:RequestedRegion":"eu-west-1"}}}`,
    ],
    [
      'what a condition of the template decides',
      both(add('Extra', { ...policy(allow('a:B')), Condition: 'A' }), always),
      never,
      'loses a:B on * with {"existsIf":{"Condition":"A"}}',
    ],
  ])('removed or changed: %s', (_, prepare, change, words) => {
    const before = changed(prepare);
    expect(sentences(before, changed(change, before))).toEqual([`${BREAKS}${words}.`]);
  });

  test('a removed role, also if the function has another one', () => {
    const other = changed(
      both(
        add('Other', deployed.Resources[ROLE]),
        setProperties('Function76856677', { Role: { 'Fn::GetAtt': ['Other', 'Arn'] } }),
      ),
    );
    const without = changed(remove(ROLE), other);
    const removed = [`The role ${ROLE} would be removed, but earlier versions of the function use it.`];
    expect(sentences(deployed, other)).toEqual([]);
    expect(sentences(deployed, without)).toEqual(removed);
    // The deployed function has the other role; the versions from before have this one.
    expect(sentences(other, without)).toEqual(removed);
  });

  test('the role of the function, even if Lambda is not named as the service that may assume it', () => {
    const unnamed = changed(role({ AssumeRolePolicyDocument: trusted({ Ref: 'Service' }) }));
    expect(sentences(unnamed, changed(remove(POLICY), unnamed))).toHaveLength(1);
  });
});

test('a resource is named by its whole ARN', () => {
  const arn = (name: string) => ({
    'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:dynamodb:eu-west-1:111122223333:table/${name}`]],
  });
  const names = 'a-name-that-is-longer-than-the-longest-value-that-is-printed-as-it-is';
  const before = changed(put({ Resource: [arn('A'), arn(names), { 'Fn::ImportValue': 'A' }] }));
  expect(sentences(before, changed(put({ Resource: arn('A') }), before))).toEqual([
    `${BREAKS}loses dynamodb:PutItem on arn:{AWS::Partition}:dynamodb:eu-west-1:111122223333:table/${names}; ` +
      'loses dynamodb:PutItem on {"Fn::ImportValue":"A"}.',
  ]);
});

describe('passes', () => {
  const extra = add('Extra', policy(allow('a:B')));

  test.each<[what: string, before: Change, after: Change]>([
    ['an added action', nothing, statements((list) => list.push(allow('dynamodb:DeleteItem')))],
    [
      'an added resource',
      nothing,
      put({ Resource: [{ 'Fn::GetAtt': ['PlantsF7D2F15D', 'Arn'] }, 'arn:other'] }),
    ],
    ['an added policy', nothing, extra],
    [
      'statements in another order, with an id',
      nothing,
      both(
        statements((list) => list.reverse()),
        put({ Sid: 'Put' }),
      ),
    ],
    [
      'one statement as two',
      nothing,
      statements((list) => list.push({ ...list[3], Action: list[3].Action.pop() })),
    ],
    [
      'a condition that is removed',
      put({ Condition: onlyHere }),
      statements(([first]) => delete first.Condition),
    ],
    ['a denial that is removed', add('Extra', policy(allow('a:B', { Effect: 'Deny' }))), remove('Extra')],
    [
      'a permission that moves into the role',
      extra,
      both(role({ Policies: [policy(allow('a:B')).Properties] }), remove('Extra')),
    ],
    ['another description', nothing, role({ Description: 'Another' })],
    [
      'permissions of the role for deployments',
      both(extra, setProperties('Extra', ofDeployments)),
      remove('Extra'),
    ],
  ])('%s', (_, prepare, change) => {
    const before = changed(prepare);
    expect(sentences(before, changed(change, before))).toEqual([]);
  });
});

test('a line that names all that is lost has no digest', () => {
  const after = changed(statements((list) => list.shift()));
  expect(judgeLosses(findLosses(deployed, after), {}).lines).toEqual([`  ${BREAKS}${LOSES_PUT}.`]);
});

test('a table that is replaced is reported once, although the role uses it', () => {
  const otherKey: Change = ({ Resources }) => {
    Resources.PlantsF7D2F15D.Properties.KeySchema[0].AttributeName = 'number';
  };
  expect(findLosses(deployed, changed(otherKey)).map(({ id }) => id)).toEqual(['PlantsF7D2F15D']);
});

test('a permission for a resource that can be created again is lost with it', () => {
  const named = (FunctionName: string) =>
    add('Other', { Type: 'AWS::Lambda::Function', Properties: { FunctionName } });
  const invoke = policy(allow('lambda:InvokeFunction', { Resource: { 'Fn::GetAtt': ['Other', 'Arn'] } }));
  const before = changed(both(add('Extra', invoke), named('a')));
  expect(sentences(before, changed(named('b'), before))).toEqual([
    `${BREAKS}loses lambda:InvokeFunction on {Other.Arn}.`,
  ]);
});
