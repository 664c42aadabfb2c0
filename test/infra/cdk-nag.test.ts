import type { CfnResource } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, test } from 'vitest';
import { PipelineStack } from '../../infra/pipeline-stack.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { EVERYTHING, newApp, PLAIN, UNPROTECTED } from './synth.ts';

describe.runIf(isExhaustive('cdk-nag’s rules on a stage with every option and on the pipeline'))(
  'the rules of cdk-nag and of the CDK',
  () => {
    // `npm run synth` checks those of the stage file.
    test('neither a stage with options nor the pipeline breaks any', () => {
      const app = newApp({ checks: true });
      for (const stage of [EVERYTHING, PLAIN]) new PlantStoreStack(app, stage);
      new PipelineStack(app, { repository: 'octo/plants', stages: ['dev'], hasProvider: false });
      expect(() => app.synth()).not.toThrow();
    });

    test('a topic without TLS and an unknown property fail the synth', () => {
      const app = newApp({ checks: true });
      const topic = new Topic(new PlantStoreStack(app, UNPROTECTED), 'Unsafe');
      (topic.node.defaultChild as CfnResource).addPropertyOverride('Unknown', true);
      expect(() => app.synth()).toThrow(/AwsSolutions-SNS3.*Unknown|Unknown.*AwsSolutions-SNS3/s);
    });
  },
);
