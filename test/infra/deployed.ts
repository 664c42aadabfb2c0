import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { checkWithNag } from '../../infra/checks.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stages.ts';

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

/**
 * Synthesises a stage, without bundling.
 * @param change adds to the stack or breaks it
 * @throws Error when a rule of cdk-nag or of the CDK is broken
 */
export function deployed(stage: Stage, change?: (stack: PlantStoreStack) => void): Deployed {
  const { deployed, folder } = synthesise(stage, CONTEXT, change);
  rmSync(folder, { recursive: true });
  return deployed;
}

/** Synthesises a stage with the function's asset, and says in which folder that lies; the caller removes it. */
export function deployedWithAsset(stage: Stage): { deployed: Deployed; asset: string } {
  const { 'aws:cdk:bundling-stacks': _, ...context } = CONTEXT;
  const { deployed, folder } = synthesise(stage, context);
  const { S3Key } = only(deployed, 'AWS::Lambda::Function').Properties.Code;
  return { deployed, asset: join(folder, `asset.${basename(S3Key, '.zip')}`) };
}

function synthesise(
  stage: Stage,
  context: Record<string, unknown>,
  change?: (stack: PlantStoreStack) => void,
): { deployed: Deployed; folder: string } {
  const app = new App({ context });
  const stack = new PlantStoreStack(app, stage);
  checkWithNag(app);
  change?.(stack);
  const assembly = app.synth();
  const { template } = assembly.getStackArtifact(stack.artifactId);
  const deployed = { stage, template, isTerminationProtected: stack.terminationProtection };
  return { deployed, folder: assembly.directory };
}

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
