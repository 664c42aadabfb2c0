/** A CDK app for the CDK's command line: one stage with its asset. */
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { bundleFor, newApp, PROTECTED } from './synth.ts';

const app = newApp();
new PlantStoreStack(app, PROTECTED, { bundle: await bundleFor(app) });
