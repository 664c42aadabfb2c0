import { expect, test } from 'vitest';
import {
  type AliasDescription,
  formatAliasDescription,
  parseAliasDescription,
} from '../../infra/alias-description.ts';
import type { Deployment } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { copyOf, only, PROTECTED, synth, UNPROTECTED } from './synth.ts';

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

const aliasOf = (stage: Stage, deployment: Deployment) =>
  only(synth(stage, undefined, deployment), 'AWS::Lambda::Alias');

test('another commit changes the description of the alias and nothing else of the template', () => {
  const deployment = { source: { commit: COMMIT, isModified: true } };
  const { template } = synth(PROTECTED, undefined, deployment);
  const before = copyOf(PROTECTED);
  expect(only(before, 'AWS::Lambda::Alias').Properties.Description).toBe('commit not known');
  only(before, 'AWS::Lambda::Alias').Properties.Description = `commit ${COMMIT}, modified`;
  expect(template).toEqual(before.template);
});

test.each([PROTECTED, UNPROTECTED])(
  'without CodeDeploy, only the update policy of the alias is gone: $name',
  (stage) => {
    const { template } = synth(stage, undefined, { usesCodeDeploy: false });
    const before = copyOf(stage);
    const { UpdatePolicy, ...others } = before.template.Resources.Live as unknown as Record<string, unknown>;
    expect(UpdatePolicy).toHaveProperty('CodeDeployLambdaAliasUpdate');
    const Resources = { ...before.template.Resources, Live: others };
    expect(template).toEqual({ ...before.template, Resources });
    // Omitted: toEqual takes undefined for nothing.
    expect(aliasOf(stage, { usesCodeDeploy: false })).not.toHaveProperty('UpdatePolicy');
  },
);
