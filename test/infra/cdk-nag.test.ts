import type { CfnResource } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, test } from 'vitest';
import { PipelineStack } from '../../infra/pipeline-stack.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { EVERYTHING, newApp, PROTECTED, TESTED_STAGES, UNPROTECTED } from './synth.ts';

describe('the rules of cdk-nag and of the CDK', () => {
  test('no stage and not the pipeline breaks one', () => {
    const app = newApp({ checks: true });
    const domain = { ...EVERYTHING.domain, zone: undefined };
    const others = {
      ...PROTECTED,
      domain,
      borrowedTables: { plants: 'Restored', accessTokens: 'Restored2' },
    };
    for (const stage of [...Object.values(TESTED_STAGES), others]) new PlantStoreStack(app, stage);
    new PipelineStack(app, { repository: 'octo/plants', stages: ['dev'], hasProvider: false });
    expect(() => app.synth()).not.toThrow();
  });

  test('a topic that accepts messages without TLS and an unknown property break one each', () => {
    const app = newApp({ checks: true });
    const stack = new PlantStoreStack(app, UNPROTECTED);
    const topic = new Topic(stack, 'Unsafe').node.defaultChild as CfnResource;
    topic.addPropertyOverride('Unknown', true);
    expect(() => app.synth()).toThrow(/AwsSolutions-SNS3[\s\S]*Unknown|Unknown[\s\S]*AwsSolutions-SNS3/);
  });
});
