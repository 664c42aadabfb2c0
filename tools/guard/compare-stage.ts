import path from 'node:path';
import { stackName } from '../../infra/names.ts';
import { isStage } from '../../infra/stages.ts';
import { stageNamed } from '../stage-option.ts';
import { findLosses, isGuarded } from './losses.ts';
import { deployedTemplate, readTemplate, synthesise, type Template, templateName } from './templates.ts';

/** Where the templates come from, and which losses are accepted. */
export interface Choices {
  /** A folder that `cdk synth` wrote; if absent, the stage is synthesised. */
  readonly app?: string;
  /** A file with the deployed template; if absent, CloudFormation is asked. */
  readonly template?: string;
  /** Logical ids, or `all`. */
  readonly allowed?: readonly string[];
}

/**
 * Compares the deployed template of a stage with the new one.
 * @returns what to print, and the logical ids of the losses that are not accepted
 * @throws UsageError if the stage is neither deployed nor known; PlainError if a template cannot be read
 */
export async function compareStage(
  name: string,
  { app, template, allowed = [] }: Choices,
): Promise<{ readonly lines: string[]; readonly refused: string[] }> {
  const stack = stackName(name);
  const stage = isStage(name) ? stageNamed(name) : undefined;
  const before = template === undefined ? await deployedTemplate(stack, stage) : readTemplate(template);
  if (before === undefined) {
    stageNamed(name);
    const line = `${stack}: no such stack is deployed yet, so there is nothing to lose.`;
    return { lines: [line], refused: [] };
  }
  const after = stage ? await newTemplate(name, app) : { Resources: {} };
  const losses = findLosses(before, after, stage?.region);
  if (losses.length === 0) {
    const { length } = Object.values(before.Resources).filter(isGuarded);
    return { lines: [`${stack}: nothing would be lost (${length} resources checked).`], refused: [] };
  }
  const reason = stage
    ? 'the new template may lose something.'
    : `infra/stages.ts has no stage ${name} any more, so its resources would be lost.`;
  const isAllowed = (id: string) => allowed.includes(id) || allowed.includes('all');
  const refused = losses.map(({ id }) => id).filter((id) => !isAllowed(id));
  return {
    lines: [
      `${stack}: ${reason}`,
      ...losses.map(({ id, sentence }) => `  ${sentence}${isAllowed(id) ? ' (accepted)' : ''}`),
      ...(refused.length > 0 ? [`If it is intended, accept it: --allow ${refused.join(',')}`] : []),
    ],
    refused,
  };
}

async function newTemplate(stage: string, app: string | undefined): Promise<Template> {
  return app === undefined ? synthesise(stage) : readTemplate(path.join(app, templateName(stage)));
}
