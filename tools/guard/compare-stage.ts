import path from 'node:path';
import { stackName } from '../../infra/names.ts';
import { isStage } from '../../infra/stages.ts';
import { stageNamed } from '../stage/stage-option.ts';
import { type Acceptance, judgeLosses } from './acceptance.ts';
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
 * @returns what to print, and what is not as it was accepted
 * @throws UsageError if the stage is neither deployed nor known; PlainError if a template cannot be read
 */
export async function compareStage(
  name: string,
  { app, template, allowed = [] }: Choices,
): Promise<Acceptance> {
  const stack = stackName(name);
  const stage = isStage(name) ? stageNamed(name) : undefined;
  const accepted = stage?.acceptedLosses ?? [];
  const before = template === undefined ? await deployedTemplate(stack, stage) : readTemplate(template);
  if (before === undefined) {
    stageNamed(name);
    const line = `${stack}: no such stack is deployed yet, so there is nothing to lose.`;
    return { lines: [line], refused: [], unmatched: [...accepted] };
  }
  const after = stage ? await newTemplate(name, app) : { Resources: {} };
  const losses = findLosses(before, after, stage?.region);
  if (losses.length === 0) {
    const { length } = Object.values(before.Resources).filter(isGuarded);
    return {
      lines: [`${stack}: nothing would be lost (${length} resources checked).`],
      refused: [],
      unmatched: [...accepted],
    };
  }
  const reason = stage
    ? 'the new template may lose something.'
    : `infra/stages.ts has no stage ${name} any more, so its resources would be lost.`;
  const { lines, refused, unmatched } = judgeLosses(losses, { accepted, allowed });
  const advice = stage
    ? `add the lines to acceptedLosses of ${name} in infra/stages.ts`
    : `delete ${stack} before its entry in infra/stages.ts`;
  return {
    lines: [
      `${stack}: ${reason}`,
      ...lines,
      ...(refused.length > 0 ? [`If it is intended, ${advice}; by hand: --allow ${refused.join(',')}`] : []),
    ],
    refused,
    unmatched,
  };
}

async function newTemplate(stage: string, app: string | undefined): Promise<Template> {
  return app === undefined ? synthesise(stage) : readTemplate(path.join(app, templateName(stage)));
}
