import { checkStage, type Stage, type StageSettings } from './stage-settings.ts';
import { UsageError } from './usage-error.ts';

/** The entries of the stage file, by the names of their stages. */
export type Stages = Readonly<Record<string, StageSettings>>;

/** The stages. A new stage needs an entry here and nothing else; `stage-settings.ts` explains the settings. */
export const STAGES: Stages = {
  /** For experiments: cheap, deployed all at once. Destroying the stack leaves only the account's role for gateway logs. */
  dev: {
    // A developer's own stage needs no entry: `npx cdk deploy -c stage=dev-anna`.
    isTemplate: true,
    isProtected: false,
    throttle: { rate: 20, burst: 40 },
    // One plant of 400 KB needs 400 write units; with a lower ceiling it could never be stored.
    tableCeiling: { reads: 100, writes: 500 },
    logDays: 7,
    aboveNormal: { refusedTokens: 20, throttled: 20 },
  },
  /** For clients: protected, and deployed by canary. */
  prod: {
    isProtected: true,
    canaryMinutes: 10,
    throttle: { rate: 500, burst: 1_000 },
    logDays: 90,
    aboveNormal: { refusedTokens: 100, throttled: 50 },
  },
};

/** The stage if the command line names none. */
export const DEFAULT_STAGE = 'dev';

/** The stages that have an entry. @throws UsageError as {@link findStage} does */
export function allStages(stages: Stages = STAGES): Stage[] {
  return Object.keys(stages).map((name) => findStage(name, stages));
}

/**
 * Finds a stage by its name: one with an entry, or one that a template makes, such as `dev-anna`.
 * @throws UsageError if there is none, with the choices, or if a setting is wrong
 */
export function findStage(name: string, stages: Stages = STAGES): Stage {
  const found = entryFor(name, stages);
  if (found === undefined)
    throw new UsageError(`Unknown stage ${JSON.stringify(name)}; choose one of: ${choices(stages)}.`);
  const entry = checkStage({ ...found.settings, name: found.name });
  if (entry.name === name) return entry;
  // One domain name cannot belong to two stages, and two stages must not write to the same restored table.
  const { isTemplate: _, domain: __, borrowedTables: ___, ...shared } = entry;
  return checkStage({ ...shared, name });
}

/** Whether there is a stage of this name. */
export function isStage(name: string, stages: Stages = STAGES): boolean {
  return entryFor(name, stages) !== undefined;
}

function entryFor(name: string, stages: Stages) {
  const entries = Object.entries(stages).map(([each, settings]) => ({ name: each, settings }));
  return (
    entries.find((each) => each.name === name) ??
    entries.find((each) => each.settings.isTemplate && name.startsWith(`${each.name}-`))
  );
}

function choices(stages: Stages): string {
  return Object.entries(stages)
    .flatMap(([name, { isTemplate }]) => (isTemplate ? [name, `${name}-NAME`] : [name]))
    .join(', ');
}
