import { describe, expect, test } from 'vitest';
import { judgeLosses } from '../../../tools/guard/acceptance.ts';
import { findLosses } from '../../../tools/guard/losses.ts';
import { copyOf, type Json, PROTECTED } from '../../infra/synth.ts';

const ROLE = 'FunctionRole111A5701';
const POLICY = 'FunctionRoleDefaultPolicy41A10F9C';
const PLANTS = '{PlantsF7D2F15D.Arn}';
const BREAKS = `The role ${ROLE} may break earlier versions of the function: `;

const deployed: Json = copyOf(PROTECTED).template;
const trusted = (Service: unknown) => ({ Statement: [{ Action: 'sts:AssumeRole', Principal: { Service } }] });

type Change = (template: Json) => void;

/** What a change of the deployed template, or of another one, would lose. */
function losses(change: Change, before: Json = deployed) {
  const after = structuredClone(before);
  change(after);
  return findLosses(before, after);
}
const sentences = (...change: Parameters<typeof losses>) => losses(...change).map(({ sentence }) => sentence);
const changed = (change: Change): Json => {
  const copy = structuredClone(deployed);
  change(copy);
  return copy;
};

/** Changes the first statement, which allows to put plants. */
const put = (change: Json): Change => {
  return (template) =>
    Object.assign(template.Resources[POLICY].Properties.PolicyDocument.Statement[0], change);
};
const statements = (change: (list: Json[]) => void): Change => {
  return (template) => change(template.Resources[POLICY].Properties.PolicyDocument.Statement);
};
const role = (properties: Json): Change => {
  return (template) => Object.assign(template.Resources[ROLE].Properties, properties);
};
const add = (id: string, resource: Json): Change => {
  return (template) => {
    template.Resources[id] = resource;
  };
};
const policy = (...Statement: Json[]) => ({
  Type: 'AWS::IAM::Policy',
  Properties: { PolicyDocument: { Statement }, PolicyName: 'Extra', Roles: [{ Ref: ROLE }] },
});
const allow = (Action: string, others: Json = {}) => ({ Effect: 'Allow', Action, Resource: '*', ...others });
const onlyHere = { StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } };
const both =
  (...changes: Change[]): Change =>
  (template) =>
    changes.forEach((each) => void each(template));

describe('refused, because the version that still serves may need it', () => {
  test.each<[what: string, change: Change, words: string]>([
    ['a removed action', statements((list) => list.shift()), `loses dynamodb:PutItem on ${PLANTS}`],
    ['an action of several', statements((list) => list[3].Action.pop()), 'loses xray:PutTraceSegments on *'],
    ['another action instead', put({ Action: 'dynamodb:UpdateItem' }), `loses dynamodb:PutItem on ${PLANTS}`],
    [
      'another resource instead',
      put({ Resource: { 'Fn::GetAtt': ['AccessTokensB65260D5', 'Arn'] } }),
      `loses dynamodb:PutItem on ${PLANTS}`,
    ],
    ['a condition', put({ Condition: onlyHere }), `loses dynamodb:PutItem on ${PLANTS}`],
    [
      'a removed policy',
      ({ Resources }) => delete Resources[POLICY],
      `loses dynamodb:PutItem on ${PLANTS}; loses dynamodb:GetItem on {AccessTokensB65260D5.Arn}; …`,
    ],
    [
      'the policy of another role',
      ({ Resources }) => {
        Resources[POLICY].Properties.Roles = [{ Ref: 'DeploymentServiceRole806EBC5E' }];
      },
      `loses dynamodb:PutItem on ${PLANTS}; …`,
    ],
    [
      'a policy that exists only on a condition',
      both(add('Extra', policy()), (template) => {
        template.Conditions = { Never: { 'Fn::Equals': ['a', 'b'] } };
        template.Resources[POLICY].Condition = 'Never';
      }),
      `loses dynamodb:PutItem on ${PLANTS}; …`,
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
      ({ Resources }) => {
        const { Properties, ...others } = policy(allow('a:B'));
        Resources.Extra = { ...others, Properties: { 'Fn::Transform': { Name: 'M' }, ...Properties } };
      },
      'gets {"policy":{"Fn::Transform":{"Name":"M"},"PolicyDocument":…',
    ],
    ['a managed policy', role({ ManagedPolicyArns: ['arn:a'] }), 'gets {"ManagedPolicyArn":"arn:a"}'],
    [
      'a boundary',
      role({ PermissionsBoundary: 'arn:a' }),
      'PermissionsBoundary changes from nothing to "arn:a"',
    ],
    [
      'another service that may assume it',
      role({ AssumeRolePolicyDocument: trusted('ec2.amazonaws.com') }),
      'AssumeRolePolicyDocument.Statement[0].Effect changes from "Allow" to nothing; …',
    ],
    [
      'a condition of the role',
      ({ Resources }) => (Resources[ROLE].Condition = 'A'),
      'Condition changes from …',
    ],
  ])('%s', (_, change, words) => {
    const [loss, ...others] = losses(change);
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
      `loses dynamodb:PutItem on ${PLANTS} with {"Condition":{"StringEquals":{"aws:RequestedRegion":"eu-west-1"}}}`,
    ],
    [
      'what a condition of the template decides',
      both(add('Extra', { ...policy(allow('a:B')), Condition: 'A' }), (template) => {
        template.Conditions = { A: { 'Fn::Equals': ['a', 'a'] } };
      }),
      (template) => {
        template.Conditions = { A: { 'Fn::Equals': ['a', 'b'] } };
      },
      'loses a:B on * with {"existsIf":{"Condition":"A"}}',
    ],
  ])('removed or changed: %s', (_, before, after, words) => {
    expect(sentences(after, changed(before))).toEqual([`${BREAKS}${words}.`]);
  });

  test('a removed role, also if the function has another one', () => {
    const other = both(add('Other', deployed.Resources[ROLE]), ({ Resources }) => {
      Resources.Function76856677.Properties.Role = { 'Fn::GetAtt': ['Other', 'Arn'] };
    });
    const gone: Change = ({ Resources }) => void delete Resources[ROLE];
    const removed = [`The role ${ROLE} would be removed, but earlier versions of the function use it.`];
    expect(sentences(other)).toEqual([]);
    expect(sentences(both(other, gone))).toEqual(removed);
    // The deployed function has the other role; the versions from before have this one.
    expect(sentences(gone, changed(other))).toEqual(removed);
  });

  test('the role of the function, even if Lambda is not named as the service that may assume it', () => {
    const unnamed = changed(role({ AssumeRolePolicyDocument: trusted({ Ref: 'Service' }) }));
    expect(sentences(({ Resources }) => delete Resources[POLICY], unnamed)).toHaveLength(1);
  });
});

test('a resource is named by its whole ARN', () => {
  const arn = (name: string) => ({
    'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:dynamodb:eu-west-1:111122223333:table/${name}`]],
  });
  const names = 'a-name-that-is-longer-than-the-longest-value-that-is-printed-as-it-is';
  const before = changed(put({ Resource: [arn('A'), arn(names), { 'Fn::ImportValue': 'A' }] }));
  expect(sentences(put({ Resource: arn('A') }), before)).toEqual([
    `${BREAKS}loses dynamodb:PutItem on arn:{AWS::Partition}:dynamodb:eu-west-1:111122223333:table/${names}; ` +
      'loses dynamodb:PutItem on {"Fn::ImportValue":"A"}.',
  ]);
});

describe('passes', () => {
  test.each<[what: string, change: Change, before?: Change]>([
    ['an added action', statements((list) => list.push(allow('dynamodb:DeleteItem')))],
    ['an added resource', put({ Resource: [{ 'Fn::GetAtt': ['PlantsF7D2F15D', 'Arn'] }, 'arn:other'] })],
    ['an added policy', add('Extra', policy(allow('a:B')))],
    [
      'statements in another order, with an id',
      both(
        statements((list) => list.reverse()),
        put({ Sid: 'Put' }),
      ),
    ],
    ['one statement as two', statements((list) => list.push({ ...list[3], Action: list[3].Action.pop() }))],
    [
      'a condition that is removed',
      statements((list) => delete list[0].Condition),
      put({ Condition: onlyHere }),
    ],
    [
      'a denial that is removed',
      ({ Resources }) => delete Resources.Extra,
      add('Extra', policy(allow('a:B', { Effect: 'Deny' }))),
    ],
    [
      'a permission that moves into the role',
      both(role({ Policies: [policy(allow('a:B')).Properties] }), ({ Resources }) => delete Resources.Extra),
      add('Extra', policy(allow('a:B'))),
    ],
    ['another description', role({ Description: 'Another' })],
    [
      'permissions of the role for deployments',
      ({ Resources }) => delete Resources.Extra,
      add('Extra', {
        ...policy(allow('a:B')),
        Properties: { ...policy(allow('a:B')).Properties, Roles: [{ Ref: 'DeploymentServiceRole806EBC5E' }] },
      }),
    ],
  ])('%s', (_, change, before = () => undefined) => {
    expect(sentences(change, changed(before))).toEqual([]);
  });
});

test('a line accepts only the loss that it names', () => {
  const lose = (n: number) => losses(statements((list) => list.splice(n, 1)));
  const accepted = judgeLosses(lose(0), {}).lines.map((line) => line.trim());
  expect(accepted).toEqual([`${BREAKS}loses dynamodb:PutItem on ${PLANTS}.`]);
  expect(judgeLosses(lose(0), { accepted }).refused).toEqual([]);
  expect(judgeLosses(lose(1), { accepted }).refused).toEqual([ROLE]);
});

test('a table that is replaced is reported once, although the role uses it', () => {
  const otherKey: Change = ({ Resources }) => {
    Resources.PlantsF7D2F15D.Properties.KeySchema[0].AttributeName = 'number';
  };
  expect(losses(otherKey).map(({ id }) => id)).toEqual(['PlantsF7D2F15D']);
});

test('a permission for a resource that can be created again is lost with it', () => {
  const topic = add(
    'Extra',
    policy(allow('lambda:InvokeFunction', { Resource: { 'Fn::GetAtt': ['Other', 'Arn'] } })),
  );
  const other = add('Other', { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'a' } });
  expect(
    sentences(
      ({ Resources }) => {
        Resources.Other.Properties.FunctionName = 'b';
      },
      changed(both(topic, other)),
    ),
  ).toEqual([`${BREAKS}loses lambda:InvokeFunction on {Other.Arn}.`]);
});
