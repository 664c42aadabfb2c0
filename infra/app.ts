import { App } from 'aws-cdk-lib';
import { checkWithNag } from './checks.ts';
import { ContextError, readStage } from './context.ts';
import { PlantStoreStack } from './plant-store-stack.ts';

const app = new App();
try {
  new PlantStoreStack(app, readStage(app.node.getAllContext()));
} catch (error) {
  if (!(error instanceof ContextError)) throw error;
  console.error(error.message);
  process.exit(1);
}
checkWithNag(app);
