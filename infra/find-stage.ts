import { UsageError } from '../cli/command-line.ts';
import { checkStage } from './check-stage.ts';
import type { Stage, StageSettings } from './stage-settings.ts';
import { STAGES } from './stages.ts';

/** The entries of a stage file, by the names of their stages. */
export type Stages = typeof STAGES;

/**
 * What a stage does not get from its template: one domain name cannot belong to two stages, and a developer's own stage has no clients and pages nobody.
 */
const NOT_SHARED = {
  isTemplate: undefined,
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
 * Finds a stage by its name: one with an entry, or one made from a template, such as `dev-anna`.
 * @throws UsageError if no name is given, or if there is no such stage, with the choices; PlainError if a setting is wrong
 */
export function findStage(name: string | undefined, stages: Stages = STAGES): Stage {
  if (name === undefined) throw new UsageError('Name the stage: --stage NAME.');
  const entry = entryFor(name, stages);
  if (entry === undefined) {
    const choices = Object.entries(stages).flatMap(([each, { isTemplate }]) =>
      isTemplate ? [each, `${each}-NAME`] : [each],
    );
    throw new UsageError(`Unknown stage ${JSON.stringify(name)}; choose one of: ${choices.join(', ')}.`);
  }
  const [entryName, settings] = entry;
  const stage = checkStage({ ...settings, name: entryName });
  if (entryName === name) return stage;
  return checkStage({ ...stage, ...NOT_SHARED, name });
}

function entryFor(name: string, stages: Stages) {
  const entries = Object.entries(stages);
  return (
    entries.find(([each]) => each === name) ??
    entries.find(([each, { isTemplate }]) => isTemplate && name.startsWith(`${each}-`))
  );
}
