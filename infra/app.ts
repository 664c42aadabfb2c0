import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { PlainError } from '../cli/plain-error.ts';
import { printError } from '../cli/print.ts';
import { readPipeline, readStages } from './app-options.ts';
import { bundle } from './bundle.ts';
import { checkWithNag } from './cdk-nag.ts';
import { optionalVariables, warnings } from './optional-code.ts';
import { NEW_PROVIDER, PipelineStack } from './pipeline-stack.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { readWorkingCopy } from './working-copy.ts';

const app = new App();
try {
  const context = app.node.getAllContext();
  const pipeline = readPipeline(context, process.env);
  if (pipeline) {
    if (!pipeline.hasProvider) printError(NEW_PROVIDER);
    new PipelineStack(app, pipeline);
  } else {
    const stages = readStages(context);
    const source = readWorkingCopy(path.dirname(import.meta.dirname), context.commit);
    if (source.commit === undefined)
      printError(
        `The commit is not known, and the alias will say so unless --commit does: ${source.problem}`,
      );
    const usesCodeDeploy = context.canary !== 'off';
    for (const stage of stages) {
      for (const warning of warnings(stage)) printError(`Stage ${stage.name}: ${warning}`);
      const folder = path.join(app.outdir, 'bundles', stage.name);
      await bundle(folder, Object.keys(optionalVariables(stage)), stage.plain);
      new PlantStoreStack(app, stage, { source, bundle: folder, usesCodeDeploy });
    }
  }
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  printError(error.message);
  process.exit(1);
}
checkWithNag(app);
