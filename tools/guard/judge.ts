import { stackName } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import type { Loss } from './losses.ts';
import type { Template } from './templates.ts';

/** Where the templates come from, and what is accepted. */
export interface Choices {
  /** A folder that `cdk synth` wrote; if absent, the stage is synthesised. */
  readonly app?: string;
  /** A file with the deployed template; if absent, CloudFormation is asked. */
  readonly template?: string;
  /** Logical ids, or `all`. */
  readonly allowed?: readonly string[];
  /** Whether a stage without a stack is about to be deployed for the first time. */
  readonly isFirst?: boolean;
  /** Whether an accepted line that is no loss of this deployment is refused. */
  readonly isReview?: boolean;
}

/** What to print about a stage, and whether it is refused. */
export interface StageComparison {
  readonly lines: readonly string[];
  readonly isRefused: boolean;
}

/** The result for a stack to which nothing will be deployed any more. @param before undefined if it was only previewed */
export function withoutEntry(
  name: string,
  before: Template | undefined,
  { allowed }: Choices,
): StageComparison {
  const stack = stackName(name);
  if (!before)
    return { lines: [`${stack}: was only previewed, so there is nothing to lose.`], isRefused: false };
  const { length } = Object.keys(before.Resources);
  const lines = [
    `${stack}: infra/stages.ts has no stage ${name} here any more, so its ${length} resources would be lost.`,
    `If it is intended, delete ${stack} before its entry in infra/stages.ts; by hand: --allow all`,
  ];
  return { lines, isRefused: !allowed?.includes('all') };
}

/**
 * Compares what is lost with what is accepted. After a deployment that made the change its entry is left over, which must
 * not stop the next deployment.
 * @param isMissing whether the stack itself is missing, which is refused
 */
export function judge(
  { name, acceptedLosses = [] }: Stage,
  summary: string,
  losses: readonly Loss[],
  { allowed = [], isReview = false }: Choices,
  isMissing = false,
): StageComparison {
  const isAccepted = ({ id, line }: Loss) =>
    acceptedLosses.includes(line) || allowed.includes(id) || allowed.includes('all');
  const refused = new Set(losses.filter((each) => !isAccepted(each)).map(({ id }) => id));
  const advice = `If it is intended, add the lines to acceptedLosses of ${name} in infra/stages.ts; by hand: --allow `;
  const leftOver = acceptedLosses.filter((accepted) => !losses.some(({ line }) => line === accepted));
  const warning = `${isReview ? '' : 'Warning: '}Nothing matches this entry in acceptedLosses of ${name}; remove it: `;
  return {
    lines: [
      `${stackName(name)}: ${summary}`,
      ...losses.map((each) => `  ${each.line}${isAccepted(each) ? ' (accepted)' : ''}`),
      ...(refused.size > 0 ? [advice + [...refused]] : []),
      ...leftOver.map((line) => warning + line),
    ],
    isRefused: isMissing || refused.size > 0 || (isReview && leftOver.length > 0),
  };
}
