import { App } from 'aws-cdk-lib';
import { checkWithNag } from './cdk-nag.ts';
import { readStages } from './command-line.ts';
import { PlantStoreStack } from './plant-store-stack.ts';
import { UsageError } from './usage-error.ts';

const app = new App();
try {
  for (const stage of readStages(app.node.getAllContext(), process.env)) new PlantStoreStack(app, stage);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(1);
}
checkWithNag(app);
