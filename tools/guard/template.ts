import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { PlainError } from '../../local/plain-error.ts';

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** A CloudFormation template. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/**
 * Parses a template: JSON, or YAML, which the CDK uploads.
 * @param name names the template in the error
 * @throws PlainError if it is not a template
 */
export function parseTemplate(text: string, name: string): Template {
  let template: Template | undefined;
  try {
    template = parse(text, { logLevel: 'error' });
  } catch {
    // Reported below.
  }
  const resources = Object.entries(template?.Resources ?? {});
  // Without a prototype, it has no resource that it does not name.
  if (template?.Resources && resources.every(([, resource]) => typeof resource?.Type === 'string'))
    return { ...template, Resources: Object.assign(Object.create(null), template.Resources) };
  throw new PlainError(`${name} is not a CloudFormation template.`);
}

/** @throws PlainError if the file cannot be read or is not a template */
export function readTemplate(file: string): Template {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new PlainError(`${file} cannot be read: ${(error as Error).message}`);
  }
  return parseTemplate(text, file);
}

/**
 * Reads what `cdk synth` wrote to a folder.
 * @returns the templates by the names of their stacks
 * @throws PlainError if there is none
 */
export function readTemplates(folder: string): Map<string, Template> {
  const ending = '.template.json';
  let files: string[] = [];
  try {
    files = readdirSync(folder).filter((file) => file.endsWith(ending));
  } catch {
    // Reported below.
  }
  if (files.length === 0) throw new PlainError(`${folder} has no templates; npm run synth writes some.`);
  return new Map(files.map((file) => [file.slice(0, -ending.length), readTemplate(path.join(folder, file))]));
}
