import { UsageError } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { findStage, isStage, type Stages } from '../../infra/find-stage.ts';
import type { Stage } from '../../infra/stage-settings.ts';

/**
 * Finds the stage of `--stage NAME`.
 * @throws UsageError if the option is missing, or there is no such stage; PlainError if its settings are wrong
 */
export function stageNamed(name: string | undefined, stages?: Stages): Stage {
  if (name === undefined) throw new UsageError('Name the stage: --stage NAME.');
  try {
    return findStage(name, stages);
  } catch (error) {
    if (error instanceof PlainError && !isStage(name, stages)) throw new UsageError(error.message);
    throw error;
  }
}
