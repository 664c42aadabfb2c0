/** A CDK app for the CDK's command line: one stage with its asset. */
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { newApp, PROTECTED } from './synth.ts';

new PlantStoreStack(newApp({ bundles: true }), PROTECTED);
