import { expect, test } from 'vitest';
import {
  type AliasDescription,
  formatAliasDescription,
  parseAliasDescription,
} from '../../infra/alias-description.ts';
import { copyOf, only, PROTECTED, synth } from './synth.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

test.each<[text: string, description: AliasDescription]>([
  [`commit ${COMMIT}`, { commit: COMMIT, isModified: false }],
  [`commit ${COMMIT}, modified`, { commit: COMMIT, isModified: true }],
  ['commit not known', { commit: undefined, isModified: false }],
])('"%s" is written and read', (text, description) => {
  expect(formatAliasDescription(description)).toBe(text);
  expect(parseAliasDescription(text)).toEqual(description);
});

test.each([
  undefined,
  '',
  'live',
  `Commit ${COMMIT}`,
  `commit ${COMMIT.slice(1)}`,
  `commit ${COMMIT}0`,
  `commit ${COMMIT.toUpperCase()}`,
  `commit ${COMMIT} `,
  `commit ${COMMIT}\n`,
  'commit not known, modified',
  `the commit ${COMMIT}`,
])('a description that nobody here has written names no commit: %j', (text) => {
  expect(parseAliasDescription(text)).toEqual({ commit: undefined, isModified: false });
});

test('another commit changes the description of the alias and nothing else of the template', () => {
  const deployment = { source: { commit: COMMIT, isModified: true } };
  const { template } = synth(PROTECTED, undefined, deployment);
  const before = copyOf(PROTECTED);
  expect(only(before, 'AWS::Lambda::Alias').Properties.Description).toBe('commit not known');
  only(before, 'AWS::Lambda::Alias').Properties.Description = `commit ${COMMIT}, modified`;
  expect(template).toEqual(before.template);
});

test('without CodeDeploy, only the update policy of the alias is gone', () => {
  const { template } = synth(PROTECTED, undefined, { usesCodeDeploy: false });
  const before = copyOf(PROTECTED);
  const { UpdatePolicy, ...others } = before.template.Resources.Live as unknown as Record<string, unknown>;
  expect(UpdatePolicy).toHaveProperty('CodeDeployLambdaAliasUpdate');
  const Resources = { ...before.template.Resources, Live: others };
  // Strictly: otherwise undefined equals nothing.
  expect(template).toStrictEqual({ ...before.template, Resources });
});
