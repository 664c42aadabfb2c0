import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { parseDocument } from 'yaml';
import { onFile } from '../../cli/file-error.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { parseAliasDescription, readWorkingCopy } from '../../infra/working-copy.ts';
import { failed } from '../shared/aws.ts';
import type { DeployedStack } from '../shared/deployed-stack.ts';
import { refuseMoreThanFiles } from './finished-files.ts';
import type { GuardValues } from './options.ts';

const PROJECT = path.join(import.meta.dirname, '../..');

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

/**
 * Reads the template of a stage from a finished `cdk.out`.
 * @param choices.app the folder that `cdk synth` wrote
 * @returns undefined if the command line names none
 * @throws PlainError if it has no template of the stage, more than that and files, or one of another commit than the working copy, with which
 *   the guard compares what is deployed
 */
export function finishedTemplate(stage: Stage, { app, commit }: GuardValues): Template | undefined {
  if (app === undefined) return undefined;
  const file = path.join(app, `${stackName(stage.name)}.template.json`);
  const text = onFile(file, 'read', () => readFileSync(file, 'utf8'));
  refuseMoreThanFiles(app, stage, text);
  const template: Template = JSON.parse(text);
  const { commit: own } = parseAliasDescription(
    String(field(template.Resources.Live?.Properties, 'Description')),
  );
  const { commit: ours } = readWorkingCopy(PROJECT, commit);
  if (own === undefined || own !== ours)
    throw new PlainError(
      `${file} is of commit ${own ?? 'not known'}, and this working copy of ${ours ?? 'one that is not known'}; synthesize it from this one.`,
    );
  return template;
}

/** A part of an object or a list, but not what every JavaScript object has, such as `constructor`. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
