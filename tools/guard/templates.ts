import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CloudFormationClient, GetTemplateCommand, paginateListStacks } from '@aws-sdk/client-cloudformation';
import { parseDocument } from 'yaml';
import { clientSettings, failed, readAll } from '../../infra/deployed/aws.ts';
import { ifMissing } from '../../infra/deployed/deployed-stack.ts';
import { stackName } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { onFile } from '../../terminal/file-error.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type Fields, field, isFields } from './canonical.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Fields;
  readonly DeletionPolicy?: unknown;
  readonly DependsOn?: unknown;
  readonly Metadata?: unknown;
}

/** A CloudFormation template. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: unknown;
}

/** The name of the file that `cdk synth` writes for a stage. */
export function templateName(stage: string): string {
  return `${stackName(stage)}.template.json`;
}

/** @throws PlainError if the file cannot be read or is not a template */
export function readTemplate(file: string): Template {
  return parseTemplate(
    onFile(file, 'read', () => readFileSync(file, 'utf8')),
    file,
  );
}

/**
 * Parses a template in JSON, or in YAML, as the CDK uploads it.
 * @param name of the template, for the error
 * @throws PlainError if it is not a template
 */
function parseTemplate(text: string, name: string): Template {
  const document = parseDocument(text, { logLevel: 'error' });
  // A tag such as !Ref would be dropped with a warning, and a reference be taken for a text.
  const problem = document.errors[0] ?? document.warnings[0];
  const template: unknown = problem ? undefined : document.toJS();
  const resources = field(template, 'Resources');
  const isTemplate =
    isFields(resources) && Object.values(resources).every((each) => typeof field(each, 'Type') === 'string');
  if (!isTemplate) throw new PlainError(`${name} is not a CloudFormation template.`);
  return template as Template;
}

/**
 * Reads the template of a deployed stack, with the credentials of the environment.
 * @param stage of the stack; if it has no Region, the stack is in the Region of the environment
 * @returns undefined if there is no such stack, or its first deployment was only previewed
 * @throws PlainError if AWS does not respond or denies the request
 */
export async function deployedTemplate(
  stack: string,
  stage: Pick<Stage, 'region'> = {},
): Promise<Template | undefined> {
  const { TemplateBody: body = '' } = await new CloudFormationClient(clientSettings(stage))
    .send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }))
    .catch(ifMissing({ TemplateBody: '' }))
    .catch(failed(`The template of the stack ${stack} cannot be read`));
  return body === '' ? undefined : parseTemplate(body, `The deployed template of ${stack}`);
}

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
  return (
    stacks
      // CloudFormation lists deleted stacks for 90 days.
      .filter(({ StackStatus: status }) => status !== 'DELETE_COMPLETE')
      .map(({ StackName: name = '' }) => name)
      .filter((name) => name.startsWith(prefix) && name !== stackName('pipeline'))
      .map((name) => name.slice(prefix.length))
  );
}

/**
 * Runs the CDK app for a stage as `cdk synth` does, but without bundling the function, which takes the most time.
 * @throws PlainError with what the app printed if it fails
 */
export async function synthesise(stage: string): Promise<Template> {
  const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8'));
  const folder = mkdtempSync(path.join(tmpdir(), 'plant-store-guard-'));
  const env = {
    ...process.env,
    // Nothing is deployed, so the app must not refuse a stage of another account.
    CDK_DEFAULT_ACCOUNT: undefined,
    CDK_OUTDIR: folder,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:bundling-stacks': [], stage }),
  };
  try {
    await promisify(execFile)(process.execPath, ['infra/run-app.mjs'], { cwd: ROOT, env });
    return readTemplate(path.join(folder, templateName(stage)));
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw stderr ? new PlainError(`The CDK app failed: ${stderr.trim()}`) : error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
