import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CloudFormationClient, GetTemplateCommand, paginateListStacks } from '@aws-sdk/client-cloudformation';
import { App } from 'aws-cdk-lib';
import { parseDocument } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import { stackName } from '../../infra/names.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings, failed, readAll } from '../shared/aws.ts';
import { ifMissing } from '../shared/deployed-stack.ts';
import { type Fields, field, isFields } from './changes.ts';

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Fields;
  readonly DeletionPolicy?: unknown;
}

/** A CloudFormation template. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: unknown;
  readonly Outputs?: unknown;
}

/**
 * Parses a template in JSON, or in YAML, as the CDK uploads it.
 * @param name of the template, for the error
 * @throws PlainError if it is not a template
 */
function parseTemplate(text: string, name: string): Template {
  const document = parseDocument(text, { logLevel: 'error' });
  // A tag such as !Ref would be dropped with a warning, and a reference be taken for a text.
  const isRead = document.errors.length + document.warnings.length === 0;
  const template: unknown = isRead && document.toJS();
  const resources = field(template, 'Resources');
  if (
    isFields(resources) &&
    Object.values(resources).every((each) => typeof field(each, 'Type') === 'string')
  )
    return template as Template;
  throw new PlainError(`${name} is not a CloudFormation template.`);
}

/**
 * Reads the template of a deployed stage, with the credentials of the environment, and in its Region if the stage has none.
 * @returns undefined if there is no such stack, or its first deployment was only previewed
 * @throws PlainError if AWS does not respond or denies the request
 */
export async function deployedTemplate(stage: Stage): Promise<Template | undefined> {
  const stack = stackName(stage.name);
  const { TemplateBody: body = '' } = await new CloudFormationClient(clientSettings(stage))
    .send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }))
    .catch(ifMissing({ TemplateBody: '' }))
    .catch(failed(`The template of the stack ${stack} cannot be read`));
  return body === '' ? undefined : parseTemplate(body, `The deployed template of ${stack}`);
}

/** CloudFormation lists deleted stacks for 90 days. The other status is that of a stack that was only previewed. */
const NOT_DEPLOYED: readonly (string | undefined)[] = ['DELETE_COMPLETE', 'REVIEW_IN_PROGRESS'];

/**
 * The names of the stages that are deployed in the account and Region of the environment, by the names of their stacks.
 * Selecting by tags instead would need permission to read the outputs of every stack.
 * @throws PlainError if AWS does not respond or denies the request
 */
export async function deployedStages(): Promise<string[]> {
  const pages = paginateListStacks({ client: new CloudFormationClient(clientSettings({})) }, {});
  const stacks = await readAll(pages, ({ StackSummaries }) => StackSummaries).catch(
    failed('The stacks cannot be listed'),
  );
  const prefix = stackName('');
  return stacks
    .filter(({ StackStatus }) => !NOT_DEPLOYED.includes(StackStatus))
    .map(({ StackName: name = '' }) => name)
    .filter((name) => name.startsWith(prefix) && name !== stackName('pipeline'))
    .map((name) => name.slice(prefix.length));
}

/** Synthesizes a stage as `cdk synth` does, but without bundling the function and the CDK's own checks, which take the most time. */
export function synthesize(stage: Stage): Template {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
  // Not the folder of the variable CDK_OUTDIR, because it is removed again.
  const outdir = mkdtempSync(path.join(tmpdir(), 'plant-store-guard-'));
  const app = new App({ context, outdir, builtinCloudFormationValidation: false });
  const { artifactId } = new PlantStoreStack(app, stage);
  const { template } = app.synth().getStackArtifact(artifactId);
  rmSync(outdir, { recursive: true });
  return template;
}
