import path from 'node:path';
import { stackName } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { isStage, STAGES, type Stages } from '../../infra/stages.ts';
import { clientSettings, failed } from '../stage/aws.ts';
import { readCaller } from '../stage/caller.ts';
import { refuseOtherAccount } from '../stage/deployed-stack.ts';
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

/** What to print about a stage, and what is not as it was accepted. */
export interface StageComparison extends Acceptance {
  /** The name of the stage. */
  readonly name: string;
}

/**
 * Compares the deployed template of a stage with the new one.
 * @throws UsageError if the stage is neither deployed nor known; PlainError if it belongs to another account than the
 *   credentials, or a template cannot be read
 */
export async function compareStage(
  name: string,
  choices: Choices,
  stages: Stages = STAGES,
): Promise<StageComparison> {
  const stage = isStage(name, stages) ? stageNamed(name, stages) : undefined;
  // Another account has no such stack, which would look like a first deployment.
  if (stage?.account !== undefined && choices.template === undefined) {
    const { account } = await readCaller(clientSettings(stage)).catch(
      failed(`${stackName(name)} cannot be compared`),
    );
    refuseOtherAccount(stage, account);
  }
  const comparison = await compareStack(name, stage, choices);
  if (comparison === undefined) stageNamed(name, stages);
  return comparison ?? notDeployed(name, stage);
}

/** The result for a stage without a stack. */
export function notDeployed(name: string, stage: Stage | undefined): StageComparison {
  const result = skipped(name, 'no such stack is deployed yet, so there is nothing to lose.');
  return { ...result, unmatched: [...(stage?.acceptedLosses ?? [])] };
}

/** The result for a stage that is not compared. */
export function skipped(name: string, reason: string): StageComparison {
  return { name, lines: [`${stackName(name)}: ${reason}`], refused: [], unmatched: [] };
}

/**
 * Compares the deployed template of a stack with the new one.
 * @param stage undefined if nothing will be deployed there any more
 * @returns undefined if there is no such stack, or its first deployment was only previewed
 * @throws PlainError if a template cannot be read
 */
export async function compareStack(
  name: string,
  stage: Stage | undefined,
  { app, template, allowed = [] }: Choices,
): Promise<StageComparison | undefined> {
  const stack = stackName(name);
  const accepted = stage?.acceptedLosses ?? [];
  const before = template === undefined ? await deployedTemplate(stack, stage) : readTemplate(template);
  if (before === undefined) return undefined;
  const after = stage ? await newTemplate(name, app) : { Resources: {} };
  const losses = findLosses(before, after, stage?.region);
  if (losses.length === 0) {
    const { length } = Object.values(before.Resources).filter(isGuarded);
    return {
      name,
      lines: [`${stack}: nothing would be lost (${length} resources checked).`],
      refused: [],
      unmatched: [...accepted],
    };
  }
  const reason = stage
    ? 'the new template may lose something.'
    : `infra/stages.ts has no stage ${name} here any more, so its resources would be lost.`;
  const { lines, refused, unmatched } = judgeLosses(losses, { accepted, allowed });
  const advice = stage
    ? `add the lines to acceptedLosses of ${name} in infra/stages.ts`
    : `delete ${stack} before its entry in infra/stages.ts`;
  return {
    name,
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
