import { Stack } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { findStage } from '../../infra/find-stage.ts';
import { usesStartScript } from '../../infra/function.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { newApp, PROTECTED, UNPROTECTED } from './synth.ts';

/** The warnings of a construct, as the CDK's command line prints them. */
const warningsOf = ({ node }: Stack) =>
  node.metadata.flatMap(({ type, data }) => (type === 'aws:cdk:warning' ? [data] : []));

test.each<[boolean, Stage]>([
  [true, PROTECTED],
  [false, { ...PROTECTED, alarmEmail: 'operators@example.com' }],
  [false, UNPROTECTED],
])('only a protected stage without an alarm email gets a warning: %s', (expected, stage) => {
  const warning = expect.stringMatching(/^Alarms of production send no email: set alarmEmail/);
  expect(warningsOf(new PlantStoreStack(newApp(), stage))).toEqual(expected ? [warning] : []);
});

test.each<[NodeJS.Platform, boolean | undefined, boolean, number]>([
  ['linux', undefined, true, 0],
  ['linux', false, false, 0],
  ['win32', undefined, false, 1],
  ['win32', false, false, 0],
])(
  'on %s with startScript %s, the script is used: %s, warnings: %i',
  (platform, startScript, used, count) => {
    const stack = new Stack(newApp());
    expect(usesStartScript(stack, { ...UNPROTECTED, startScript }, platform)).toBe(used);
    const warning =
      /^The function of trial starts without lambda\/start-script\.sh, and more slowly: Windows /;
    expect(warningsOf(stack)).toEqual(Array(count).fill(expect.stringMatching(warning)));
  },
);

test('prod is protected and deployed by canary, and dev can be destroyed', () => {
  const canaryMinutes = expect.any(Number);
  expect(findStage('prod')).toMatchObject({ isProtected: true, canaryMinutes });
  expect(findStage('dev').isProtected).toBe(false);
});
