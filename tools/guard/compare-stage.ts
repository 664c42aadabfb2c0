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

/** Where the templates come from, and what is accepted. */
export interface Choices {
  /** A folder that `cdk synth` wrote; if absent, the stage is synthesised. */
  readonly app?: string;
  /** A file with the deployed template; if absent, CloudFormation is asked. */
  readonly template?: string;
  /** Logical ids, or `all`. */
  readonly allowed?: readonly string[];
  /** Whether an accepted line that is no loss of this deployment is refused. */
  readonly isReview?: boolean;
}

/** What to print about a stage, and whether it is refused. */
export interface StageComparison {
  readonly lines: readonly string[];
  readonly isRefused: boolean;
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
  return comparison ?? notDeployed(name, stage, choices);
}

/** The result for a stage without a stack. */
export function notDeployed(name: string, stage: Stage | undefined, choices: Choices): StageComparison {
  const line = `${stackName(name)}: no such stack is deployed yet, so there is nothing to lose.`;
  return resultOf(name, [line], judgeLosses([], { accepted: stage?.acceptedLosses }), choices);
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
  choices: Choices,
): Promise<StageComparison | undefined> {
  const { app, template, allowed } = choices;
  const stack = stackName(name);
  const before = template === undefined ? await deployedTemplate(stack, stage) : readTemplate(template);
  if (before === undefined) return undefined;
  const after = stage ? await newTemplate(name, app) : { Resources: {} };
  const losses = findLosses(before, after, stage?.region);
  const judged = judgeLosses(losses, { accepted: stage?.acceptedLosses, allowed });
  if (losses.length === 0) {
    const { length } = Object.values(before.Resources).filter(isGuarded);
    return resultOf(
      name,
      [`${stack}: nothing would be lost (${length} resources checked).`],
      judged,
      choices,
    );
  }
  const [reason, advice] = stage
    ? [
        'the new template may lose something.',
        `add the lines to acceptedLosses of ${name} in infra/stages.ts`,
      ]
    : [
        `infra/stages.ts has no stage ${name} here any more, so its resources would be lost.`,
        `delete ${stack} before its entry in infra/stages.ts`,
      ];
  const lines = [`${stack}: ${reason}`, ...judged.lines];
  if (judged.refused.length > 0)
    lines.push(`If it is intended, ${advice}; by hand: --allow ${judged.refused.join(',')}`);
  return resultOf(name, lines, judged, choices);
}

/**
 * Adds the accepted lines that are no loss. After a deployment that made the change its entry is left over, which must not
 * stop the next deployment.
 */
function resultOf(
  name: string,
  lines: readonly string[],
  { refused, unmatched }: Acceptance,
  { isReview = false }: Choices,
): StageComparison {
  const warning = isReview ? '' : 'Warning: ';
  const leftOver = unmatched.map(
    (line) => `${warning}Nothing matches this entry in acceptedLosses of ${name}; remove it: ${line}`,
  );
  const isRefused = refused.length > 0 || (isReview && unmatched.length > 0);
  return { lines: [...lines, ...leftOver], isRefused };
}

async function newTemplate(stage: string, app: string | undefined): Promise<Template> {
  return app === undefined ? synthesise(stage) : readTemplate(path.join(app, templateName(stage)));
}
