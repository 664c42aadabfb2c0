import { App } from 'aws-cdk-lib';
import { checkWithNag } from './cdk-nag.ts';
import { readStage, UsageError } from './command-line.ts';
import { PlantStoreStack } from './plant-store-stack.ts';

const app = new App();
try {
  new PlantStoreStack(app, readStage(app.node.getAllContext()));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(1);
}
checkWithNag(app);
