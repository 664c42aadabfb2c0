import { UsageError } from '../../cli/command-line.ts';
import { findStage } from '../../infra/find-stage.ts';
import type { Stage } from '../../infra/stage-settings.ts';

/**
 * Finds the stage of `--stage NAME`.
 * @throws UsageError if the option is missing, or there is no such stage; PlainError if its settings are wrong
 */
export function stageNamed(name: string | undefined): Stage {
  if (name === undefined) throw new UsageError('Name the stage: --stage NAME.');
  return findStage(name);
}
