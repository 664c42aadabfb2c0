import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { App } from 'aws-cdk-lib';
import { parseDocument } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { failed } from '../shared/aws.ts';
import type { DeployedStack } from '../shared/deployed-stack.ts';

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: unknown;
  readonly DeletionPolicy?: unknown;
}

/** A CloudFormation template. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: unknown;
  readonly Parameters?: unknown;
}

/**
 * Reads the template of a deployed stack.
 * @throws PlainError if AWS does not respond or denies the request, or it is no template
 */
export async function deployedTemplate({ name, client }: DeployedStack): Promise<Template> {
  const { TemplateBody = '' } = await client
    .send(new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' }))
    .catch(failed(`The template of the stack ${name} cannot be read`));
  // In YAML, as the CDK uploads it. A tag such as !Ref would be dropped with a warning, and a reference be taken for a text.
  const document = parseDocument(TemplateBody, { logLevel: 'error' });
  const template = document.toJS() as Template | undefined;
  if (document.errors.length + document.warnings.length > 0 || !template?.Resources)
    throw new PlainError(`The deployed template of ${name} is not a CloudFormation template.`);
  return template;
}

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

/** A part of an object or a list, but not what every JavaScript object has, such as `constructor`. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
