import { UsageError } from '../cli/command-line.ts';
import { checkStage } from './check-stage.ts';
import type { Stage, StageSettings } from './stage-settings.ts';
import { DEFAULT_STAGE, STAGES } from './stages.ts';

/** The entries of a stage file, by the names of their stages. */
export type Stages = typeof STAGES;

/**
 * What a developer's own stage does not get from the default one: one domain name cannot belong to two stages, and it has no clients
 * and pages nobody.
 */
const NOT_SHARED = {
  domain: undefined,
  acceptedLosses: undefined,
  expectsPlants: undefined,
  pagerTopicArn: undefined,
} satisfies Partial<StageSettings>;

/** The stages that have an entry. @throws PlainError as {@link findStage} does */
export function allStages(stages: Stages = STAGES): Stage[] {
  return Object.keys(stages).map((name) => findStage(name, stages));
}

/**
 * Finds a stage by its name: one with an entry, or a developer's own, such as `dev-anna`, with the settings of the default stage,
 * unless that is protected.
 * @throws UsageError if no name is given, or if there is no such stage, with the choices; PlainError if a setting is wrong
 */
export function findStage(name: string | undefined, stages: Stages = STAGES): Stage {
  if (name === undefined) throw new UsageError('Name the stage: --stage NAME.');
  const names = Object.keys(stages);
  const shared = stages[DEFAULT_STAGE];
  const hasOwn = shared !== undefined && !shared.isProtected;
  const entry = names.includes(name) ? stages[name] : undefined;
  if (entry) return checkStage({ ...entry, name });
  if (hasOwn && name.startsWith(`${DEFAULT_STAGE}-`)) return checkStage({ ...shared, ...NOT_SHARED, name });
  const choices = hasOwn ? [...names, `${DEFAULT_STAGE}-NAME`] : names;
  throw new UsageError(`Unknown stage ${JSON.stringify(name)}; choose one of: ${choices.join(', ')}.`);
}
