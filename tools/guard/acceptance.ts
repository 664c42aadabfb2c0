import { createHash } from 'node:crypto';
import { oneLine, visible } from '../../terminal/print.ts';
import type { Loss } from './loss.ts';

/** Which losses are intended. */
export interface Intended {
  /** Lines as the guard prints them: the stage's `acceptedLosses`. */
  readonly accepted?: readonly string[];
  /** Logical ids, or `all`: from the command line. */
  readonly allowed?: readonly string[];
}

/** The losses of a stage, and which of them are intended. */
export interface Acceptance {
  /** One for each loss, to be printed. */
  readonly lines: string[];
  /** The logical ids of the losses that are not accepted. */
  readonly refused: string[];
  /** The accepted lines that are no loss of this deployment. */
  readonly unmatched: string[];
}

/** Compares the losses of a deployment with those that are intended. */
export function judgeLosses(losses: readonly Loss[], { accepted = [], allowed = [] }: Intended): Acceptance {
  const all = losses.map((loss) => {
    const line = lineOf(loss);
    return {
      ...loss,
      line,
      isAccepted: accepted.includes(line) || [loss.id, 'all'].some((each) => allowed.includes(each)),
    };
  });
  return {
    lines: all.map(({ line, isAccepted }) => `  ${line}${isAccepted ? ' (accepted)' : ''}`),
    refused: all.filter(({ isAccepted }) => !isAccepted).map(({ id }) => id),
    unmatched: accepted.filter((each) => !all.some(({ line }) => line === each)),
  };
}

/** A loss in the line that is printed. A digest stands for what the line leaves out, so that it accepts nothing else. */
function lineOf({ sentence, leftOut }: Loss): string {
  const shown = visible(oneLine(sentence));
  if (leftOut === undefined) return shown;
  return `${shown} [${createHash('sha256').update(JSON.stringify(leftOut)).digest('hex').slice(0, 12)}]`;
}
