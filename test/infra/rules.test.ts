import { Topic } from 'aws-cdk-lib/aws-sns';
import { expect, test } from 'vitest';
import { STAGES } from '../../infra/stages.ts';
import { CONTEXT, deployed } from './deployed.ts';

// Every synth in these tests is checked by cdk-nag, so no stage of them has an open finding.
test('cdk-nag is asked: a topic that takes messages without TLS ends the synth', () => {
  expect(() => deployed(STAGES.dev, (stack) => new Topic(stack, 'Unsafe'))).toThrow(/AwsSolutions-SNS3/);
});

test("the CDK's default rules are on", () => {
  expect(CONTEXT['@aws-cdk/core:validateAgainstDefaultRules']).toBe(true);
});
