import { Topic } from 'aws-cdk-lib/aws-sns';
import { expect, test } from 'vitest';
import { STAGES, type Stage } from '../../infra/stages.ts';
import { CONTEXT, synth } from './synth.ts';

// cdk-nag checks every synth in these tests, so their stages have no open finding.
test('cdk-nag is active: the synth fails for a topic that accepts messages without TLS', () => {
  expect(() => synth(STAGES.dev, (stack) => new Topic(stack, 'Unsafe'))).toThrow(/AwsSolutions-SNS3/);
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
  expect(warnings(STAGES.prod)).toEqual([
    expect.stringMatching(/^Alarms of prod notify nobody: set alarmEmail/),
  ]);
  expect(warnings({ ...STAGES.prod, alarmEmail: 'operators@example.com' })).toEqual([]);
  expect(warnings(STAGES.dev)).toEqual([]);
});
