import type { StageSettings } from './stage-settings.ts';

/** The stages. A new stage needs an entry here and nothing else; docs/stage-settings.md explains the settings. */
export const STAGES: Readonly<Record<string, StageSettings>> = {
  /**
   * For experiments: cheap, deployed all at once. Destroying the stack leaves no data (docs/delete-a-stage.md). A developer's own
   * stage has the same settings and needs no entry: `npm run deploy -- --stage dev-anna --first`.
   */
  dev: {
    isProtected: false,
    throttle: { rate: 20, burst: 40 },
    // One plant of 400 KB needs 400 write units; with a lower ceiling it could never be stored.
    tableCeiling: { reads: 100, writes: 500 },
    logDays: 7,
    aboveNormal: { refusals: 3_000, refusedTokens: 60, throttled: 20, duration: 500 },
  },
  /** For clients: protected, and deployed by canary. */
  prod: {
    isProtected: true,
    canaryMinutes: 10,
    throttle: { rate: 500, burst: 1_000 },
    logDays: 90,
    aboveNormal: { refusals: 6_000, refusedTokens: 100, throttled: 50, duration: 500 },
  },
};

/** Tags of every stack, which CloudFormation gives to its resources, such as `CostCenter: '4711'`. */
export const TAGS: Readonly<Record<string, string>> = {};

/** The stage that is used if the command line names none. */
export const DEFAULT_STAGE = 'dev';
