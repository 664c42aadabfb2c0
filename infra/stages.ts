import { PlainError } from '../terminal/plain-error.ts';
import { checkStage, type Stage, type StageSettings } from './stage-settings.ts';

/** The entries of the stage file, by the names of their stages. */
export type Stages = Readonly<Record<string, StageSettings>>;

/** The stages. A new stage needs an entry here and nothing else; `stage-settings.ts` explains the settings. */
export const STAGES: Stages = {
  /** For experiments: cheap, deployed all at once. Destroying the stack leaves no data (runbook, "Delete dev"). */
  dev: {
    // A developer's own stage needs no entry: `npm run deploy -- -c stage=dev-anna`.
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

/** The stage that is used if the command line names none. */
export const DEFAULT_STAGE = 'dev';

/**
 * What a stage does not get from its template: one domain name cannot belong to two stages, two stages must not write to the
 * same restored table, and a developer's own stage has no clients and wakes nobody.
 */
const NOT_SHARED = {
  isTemplate: undefined,
  domain: undefined,
  acceptedLosses: undefined,
  borrowedTables: undefined,
  expectsPlants: undefined,
  pagerTopicArn: undefined,
} satisfies Partial<StageSettings>;

/** The stages that have an entry. @throws PlainError as {@link findStage} does */
export function allStages(stages: Stages = STAGES): Stage[] {
  return Object.keys(stages).map((name) => findStage(name, stages));
}

/**
 * Finds a stage by its name: one with an entry, or one made from a template, such as `dev-anna`.
 * @throws PlainError if there is none, with the choices, or if a setting is wrong
 */
export function findStage(name: string, stages: Stages = STAGES): Stage {
  const entry = entryFor(name, stages);
  if (entry === undefined) {
    const choices = Object.entries(stages).flatMap(([each, { isTemplate }]) =>
      isTemplate ? [each, `${each}-NAME`] : [each],
    );
    throw new PlainError(`Unknown stage ${JSON.stringify(name)}; choose one of: ${choices.join(', ')}.`);
  }
  const [entryName, settings] = entry;
  const stage = checkStage({ ...settings, name: entryName });
  if (entryName === name) return stage;
  return checkStage({ ...stage, ...NOT_SHARED, name });
}

/** Whether there is a stage of this name. */
export function isStage(name: string, stages: Stages = STAGES): boolean {
  return entryFor(name, stages) !== undefined;
}

/** The account and the Region of credentials. Without an account, nothing can be deployed. */
export interface Place {
  readonly account?: string;
  readonly region?: string;
}

/** The other account or Region that a stage belongs to, in words; undefined if it can be deployed here. */
export function otherPlace(stage: Stage, { account, region }: Place): string | undefined {
  if (account && stage.account !== undefined && account !== stage.account)
    return `account ${stage.account}, but the credentials are for account ${account}`;
  if (account && stage.region !== undefined && region !== stage.region)
    return `Region ${stage.region}, but the Region of the environment is ${region}`;
  return undefined;
}

function entryFor(name: string, stages: Stages) {
  const entries = Object.entries(stages);
  return (
    entries.find(([each]) => each === name) ??
    entries.find(([each, { isTemplate }]) => isTemplate && name.startsWith(`${each}-`))
  );
}
