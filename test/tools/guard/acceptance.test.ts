import { expect, test } from 'vitest';
import { type Intended, judgeLosses } from '../../../tools/guard/acceptance.ts';
import { findLosses } from '../../../tools/guard/losses.ts';
import type { Template } from '../../../tools/guard/templates.ts';

const TABLE = 'The table Plants would be removed from the stack and deleted.';
const TOPIC = 'The topic Topic would be removed from the stack and deleted.';
const HERBS = 'The table Herbs would be removed from the stack and deleted.';
const both = [
  { id: 'Plants', sentence: TABLE },
  { id: 'Topic', sentence: TOPIC },
];

test.each<[what: string, intended: Intended, accepted: string[], unmatched: string[]]>([
  ['nothing', {}, [], []],
  ['one line', { accepted: [TOPIC] }, ['Topic'], []],
  ['both lines', { accepted: [TOPIC, TABLE] }, ['Plants', 'Topic'], []],
  ['the line of another resource', { accepted: [HERBS] }, [], [HERBS]],
  ['a part of a line', { accepted: ['The table Plants'] }, [], ['The table Plants']],
  ['an id or "all", as on the command line', { accepted: ['Plants', 'all'] }, [], ['Plants', 'all']],
  ['an id on the command line', { allowed: ['Plants'] }, ['Plants'], []],
  ['a line and all on the command line', { accepted: [TABLE], allowed: ['all'] }, ['Plants', 'Topic'], []],
])('accepted: %s', (_, intended, accepted, unmatched) => {
  expect(judgeLosses(both, intended)).toEqual({
    lines: both.map(({ id, sentence }) => `  ${sentence}${accepted.includes(id) ? ' (accepted)' : ''}`),
    refused: ['Plants', 'Topic'].filter((id) => !accepted.includes(id)),
    unmatched,
  });
});

test('what is printed can be accepted, also if it has characters that a terminal obeys', () => {
  const losses = [{ id: 'Extra', sentence: 'Tags changes from "\u202ea" to "\u009b\nb".' }];
  const [line = ''] = judgeLosses(losses, {}).lines;
  expect(line).toBe('  Tags changes from "\\u202ea" to "\\u009b b".');
  expect(judgeLosses(losses, { accepted: [line.slice(2)] }).refused).toEqual([]);
});

const POLICY = { a: 'x'.repeat(120), b: 1 };
const table = (Properties: Record<string, unknown>) => ({
  Plants: { Type: 'AWS::DynamoDB::GlobalTable', Properties },
});
const stack = (Key: string) => ({ Extra: { Type: 'AWS::CloudFormation::Stack', Properties: { Key } } });
/** What a change refers to, also at a second remove. */
const protectedBy = (Default: string) => ({
  Parameters: { Name: { Type: 'String', Default } },
  Conditions: {
    Inner: { 'Fn::Equals': [{ Ref: 'Name' }, 'a'] },
    Kept: { 'Fn::Not': [{ Condition: 'Inner' }] },
  },
  Resources: table({ DeletionProtectionEnabled: { 'Fn::If': ['Kept', true, false] } }),
});
/** A name from a mapping. */
const mapped = (name: string) => ({
  Mappings: { Names: { prod: { name } } },
  Resources: table({ TableName: { 'Fn::FindInMap': ['Names', 'prod', 'name'] } }),
});
const named = (value: unknown, Default: string) => ({
  Parameters: { Name: { Type: 'String', Default } },
  Resources: table({ TableName: value }),
});

test.each<[string, Template, Template, Template]>([
  [
    'the end of a long value',
    { Resources: table({ Policy: 1 }) },
    { Resources: table({ Policy: POLICY }) },
    { Resources: table({ Policy: { ...POLICY, b: 2 } }) },
  ],
  ['what a value refers to', protectedBy('a'), protectedBy('b'), protectedBy('c')],
  ['what a mapping says', mapped('a'), mapped('b'), mapped('c')],
  [
    'what a new value refers to',
    named('plants', 'a'),
    named({ Ref: 'Name' }, 'b'),
    named({ Ref: 'Name' }, 'c'),
  ],
  [
    'the properties of a new nested stack',
    { Resources: {} },
    { Resources: stack('a') },
    { Resources: stack('b') },
  ],
  [
    'anything in a template with a macro',
    { Resources: {}, Transform: 'Macro' } as Template,
    { Resources: { Role: { Type: 'AWS::IAM::Role' } }, Transform: 'Macro' } as Template,
    { Resources: { Rule: { Type: 'AWS::IAM::Role' } }, Transform: 'Macro' } as Template,
  ],
])('a line accepts no other change with the same words: %s', (_, before, after, other) => {
  const [line = ''] = judgeLosses(findLosses(before, after), {}).lines;
  expect(line).toMatch(/^ {2}The .+\. \[[0-9a-f]{12}\]$/);
  const accepted = [line.slice(2)];
  expect(judgeLosses(findLosses(before, structuredClone(after)), { accepted })).toMatchObject({
    refused: [],
    unmatched: [],
  });
  expect(judgeLosses(findLosses(before, other), { accepted })).toMatchObject({ unmatched: accepted });
});

test('two lines for long values that end in different ways differ', () => {
  const [one, two] = [1, 2].map((b) => {
    const losses = findLosses(
      { Resources: table({ Policy: { ...POLICY, b } }) },
      { Resources: table({ Policy: 1 }) },
    );
    return judgeLosses(losses, {}).lines[0];
  });
  expect(one?.replace(/\w{12}\]$/, '')).toBe(two?.replace(/\w{12}\]$/, ''));
  expect(one).not.toBe(two);
});

test('a line that says all of a change has no digest', () => {
  const before = named({ Ref: 'Name' }, 'a');
  expect(judgeLosses(findLosses(before, named('plants', 'a')), {}).lines).toEqual([
    '  The table Plants cannot be judged, so plants or access tokens may be lost: ' +
      'TableName changes from {"Ref":"Name"} to "plants".',
  ]);
});
