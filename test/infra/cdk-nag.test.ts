import { expect, test } from 'vitest';
import { PipelineStack } from '../../infra/pipeline-stack.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { EVERYTHING, newApp, PLAIN } from './synth.ts';

// `npm run synth` checks the stages of the stage file, and app.test.ts that a broken rule fails.
test.runIf(isExhaustive('cdk-nag’s rules on a stage with every option and on the pipeline'))(
  'neither a stage with options nor the pipeline breaks a rule of cdk-nag or of the CDK',
  () => {
    const app = newApp({ checks: true });
    for (const stage of [EVERYTHING, PLAIN]) new PlantStoreStack(app, stage);
    new PipelineStack(app, { repository: 'octo/plants', stages: ['dev'], hasProvider: false });
    expect(() => app.synth()).not.toThrow();
  },
);
