import { App } from 'aws-cdk-lib';
import { checkWithNag } from './cdk-nag.ts';
import { readPipeline, readStages } from './command-line.ts';
import { PipelineStack } from './pipeline-stack.ts';
import { PlainError } from './plain-error.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { printError } from './terminal.ts';

const app = new App();
try {
  const context = app.node.getAllContext();
  const pipeline = readPipeline(context, process.env);
  if (pipeline) new PipelineStack(app, pipeline);
  else for (const stage of readStages(context, process.env)) new PlantStoreStack(app, stage);
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  printError(error.message);
  process.exit(1);
}
checkWithNag(app);
