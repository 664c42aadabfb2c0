import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import type { Template } from './templates.ts';

/** A second function may be bundled by the CDK; the guard passes any code. */
const NO_BUNDLES = { 'aws:cdk:bundling-stacks': [] };

/** Synthesizes a stage as `cdk synth` does, but without bundling the function and the CDK's own checks, which take the most time. */
export function synthesize(stage: Stage): Template {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
  // Not the folder of the variable CDK_OUTDIR, because it is removed again.
  const outdir = mkdtempSync(path.join(tmpdir(), 'plant-store-guard-'));
  // `cdk deploy` prints the warnings. Stack traces would take most of the time.
  const quiet = { '@aws-cdk/core:annotationsInValidationReport': false, 'aws:cdk:disable-stack-trace': true };
  const options = { outdir, builtinCloudFormationValidation: false, stackTraces: false, treeMetadata: false };
  const app = new App({ context: { ...context, ...quiet, ...NO_BUNDLES }, ...options });
  const { artifactId } = new PlantStoreStack(app, stage);
  const { template } = app.synth().getStackArtifact(artifactId);
  rmSync(outdir, { recursive: true });
  return template;
}
