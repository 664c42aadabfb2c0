import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { STAGES, type Stage } from '../../infra/stages.ts';

// A template is JSON of a hundred shapes; the policies say what they expect of it.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any;

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Properties: Json;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
  readonly UpdatePolicy?: Json;
}

/** What `cdk deploy` would send to CloudFormation for a stage. */
export interface Deployed {
  readonly stage: Stage;
  isTerminationProtected: boolean;
  readonly template: { readonly Resources: Record<string, Resource>; readonly Outputs: Record<string, Json> };
}

/** The context of cdk.json, and a word to the CDK that nothing need be bundled. */
export const CONTEXT = {
  ...JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')).context,
  'aws:cdk:bundling-stacks': [],
};

/** Synthesises a stage, without bundling. */
export function deployed(stage: Stage): Deployed {
  const app = new App({ context: CONTEXT });
  const stack = new PlantStoreStack(app, stage);
  const { template } = app.synth().getStackArtifact(stack.artifactId);
  return { stage, template, isTerminationProtected: stack.terminationProtection };
}

/** A stage with everything that can be switched on. */
export const EVERYTHING: Stage = {
  ...STAGES.prod,
  canaryMinutes: 30,
  concurrency: 50,
  alarmEmail: 'operators@example.com',
  domain: {
    name: 'plants.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/11112222-3333-4444-5555-666677778888',
    zone: { id: 'Z0123456789', name: 'example.com' },
  },
  firewall: { requests: 500 },
};

/** The stages that every policy must hold for, synthesised once. */
export const DEPLOYED: Readonly<Record<string, Deployed>> = {
  dev: deployed(STAGES.dev),
  prod: deployed(STAGES.prod),
  'prod with everything switched on': deployed(EVERYTHING),
};

/** The resources of a type, with their logical ids. */
export function resources({ template }: Deployed, type: string): [id: string, resource: Resource][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

/** The only resource of a type. */
export function only(deployed: Deployed, type: string): Resource {
  const [[, resource] = [], ...others] = resources(deployed, type);
  if (resource === undefined || others.length > 0) throw new Error(`not exactly one ${type}`);
  return resource;
}
