import { Topic } from 'aws-cdk-lib/aws-sns';
import { expect, test } from 'vitest';
import { STAGES, type Stage } from '../../infra/stages.ts';
import { CONTEXT, deployed } from './deployed.ts';

// Every synth in these tests is checked by cdk-nag, so no stage of them has an open finding.
test('cdk-nag is asked: a topic that takes messages without TLS ends the synth', () => {
  expect(() => deployed(STAGES.dev, (stack) => new Topic(stack, 'Unsafe'))).toThrow(/AwsSolutions-SNS3/);
});

test("the CDK's default rules are on", () => {
  expect(CONTEXT['@aws-cdk/core:validateAgainstDefaultRules']).toBe(true);
});

test('a protected stage without an alarm e-mail is warned of, and no other', () => {
  const warnings = (stage: Stage) => {
    const found: string[] = [];
    deployed(stage, ({ node }) => {
      for (const { type, data } of node.metadata) if (type === 'aws:cdk:warning') found.push(String(data));
    });
    return found;
  };
  expect(warnings(STAGES.prod)).toEqual([
    expect.stringMatching(/^Nobody is told when an alarm of prod rings/),
  ]);
  expect(warnings({ ...STAGES.prod, alarmEmail: 'operators@example.com' })).toEqual([]);
  expect(warnings(STAGES.dev)).toEqual([]);
});
