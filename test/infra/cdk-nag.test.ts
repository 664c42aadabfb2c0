import type { CfnResource } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, test } from 'vitest';
import { PipelineStack } from '../../infra/pipeline-stack.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { CONTEXT, newApp, TESTED_STAGES, UNPROTECTED } from './synth.ts';

describe('the rules of cdk-nag and of the CDK', () => {
  test('neither a stage nor the pipeline breaks any', () => {
    const app = newApp({ checks: true });
    for (const stage of Object.values(TESTED_STAGES)) new PlantStoreStack(app, stage);
    new PipelineStack(app, { repository: 'octo/plants', stages: ['dev'], hasProvider: false });
    expect(() => app.synth()).not.toThrow();
  });

  test('cdk.json enables the rules of the CDK', () => {
    expect(CONTEXT['@aws-cdk/core:validateAgainstDefaultRules']).toBe(true);
  });

  test.each<[string, (stack: PlantStoreStack) => unknown, RegExp]>([
    ['a topic without TLS', (stack) => new Topic(stack, 'Unsafe'), /AwsSolutions-SNS3/],
    ['an unknown property', (stack) => setUnknownProperty(stack), /Unknown/],
  ])('%s fails the synth', (_, change, rule) => {
    const app = newApp({ checks: true });
    change(new PlantStoreStack(app, UNPROTECTED));
    expect(() => app.synth()).toThrow(rule);
  });
});

function setUnknownProperty({ node }: PlantStoreStack) {
  (node.findChild('Function').node.defaultChild as CfnResource).addPropertyOverride('Unknown', true);
}
