import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { App } from 'aws-cdk-lib';
import { parseDocument } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings, failed } from '../shared/aws.ts';
import { ifMissing } from '../shared/deployed-stack.ts';

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
 * Reads the template of a deployed stage, with the credentials of the environment, and in its Region if the stage has none.
 * @returns undefined if there is no such stack, or its first deployment was only previewed
 * @throws PlainError if AWS does not respond or denies the request, or it is no template
 */
export async function deployedTemplate(stage: Stage): Promise<Template | undefined> {
  const stack = stackName(stage.name);
  const reply = await new CloudFormationClient(clientSettings(stage))
    .send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }))
    .catch(ifMissing)
    .catch(failed(`The template of the stack ${stack} cannot be read`));
  if (!reply?.TemplateBody) return undefined;
  // In YAML, as the CDK uploads it. A tag such as !Ref would be dropped with a warning, and a reference be taken for a text.
  const document = parseDocument(reply.TemplateBody, { logLevel: 'error' });
  const template = document.toJS() as Template | undefined;
  if (document.errors.length + document.warnings.length > 0 || !template?.Resources)
    throw new PlainError(`The deployed template of ${stack} is not a CloudFormation template.`);
  return template;
}

/** Synthesizes a stage as `cdk synth` does, but without bundling the function and the CDK's own checks, which take the most time. */
export function synthesize(stage: Stage): Template {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
  // Not the folder of the variable CDK_OUTDIR, because it is removed again.
  const outdir = mkdtempSync(path.join(tmpdir(), 'plant-store-guard-'));
  // `cdk deploy` prints the warnings. Stack traces would take most of the time.
  const quiet = { '@aws-cdk/core:annotationsInValidationReport': false, 'aws:cdk:disable-stack-trace': true };
  const options = { outdir, builtinCloudFormationValidation: false, stackTraces: false, treeMetadata: false };
  const app = new App({ context: { ...context, ...quiet }, ...options });
  const { artifactId } = new PlantStoreStack(app, stage);
  const { template } = app.synth().getStackArtifact(artifactId);
  rmSync(outdir, { recursive: true });
  return template;
}
