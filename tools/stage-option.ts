import type { Stage } from '../infra/stage-settings.ts';
import { findStage } from '../infra/stages.ts';
import { UsageError } from '../infra/usage-error.ts';
import { PlainError } from '../local/plain-error.ts';

/**
 * Finds the stage of `--stage NAME`.
 * @throws PlainError if there is no such stage, or its settings are wrong
 */
export function stageNamed(name: string): Stage {
  try {
    return findStage(name);
  } catch (error) {
    throw error instanceof UsageError ? new PlainError(error.message) : error;
  }
}
