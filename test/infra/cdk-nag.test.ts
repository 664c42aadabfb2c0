import { Topic } from 'aws-cdk-lib/aws-sns';
import { expect, test } from 'vitest';
import type { Stage } from '../../infra/stage-settings.ts';
import { CONTEXT, PROTECTED, synth, UNPROTECTED } from './synth.ts';

// cdk-nag checks every synth in these tests, so their stages have no open finding.
test('cdk-nag is active: the synth fails for a topic that accepts messages without TLS', () => {
  expect(() => synth(UNPROTECTED, (stack) => new Topic(stack, 'Unsafe'))).toThrow(/AwsSolutions-SNS3/);
});

test("the CDK's default rules are on", () => {
  expect(CONTEXT['@aws-cdk/core:validateAgainstDefaultRules']).toBe(true);
});

test('only a protected stage without an alarm e-mail gets a warning', () => {
  const warnings = (stage: Stage) => {
    const found: string[] = [];
    synth(stage, ({ node }) => {
      for (const { type, data } of node.metadata) if (type === 'aws:cdk:warning') found.push(String(data));
    });
    return found;
  };
  expect(warnings(PROTECTED)).toEqual([
    expect.stringMatching(/^Alarms of production notify nobody: set alarmEmail/),
  ]);
  expect(warnings({ ...PROTECTED, alarmEmail: 'operators@example.com' })).toEqual([]);
  expect(warnings(UNPROTECTED)).toEqual([]);
});
