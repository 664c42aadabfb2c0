/** The stage that is checked while it is deployed. */
export interface CheckedStage {
  readonly baseUrl: string;
  /** A valid access token. */
  readonly token: string;
  /** The stage's name. */
  readonly name: string;
  /** The share of the new version, from 0 to 1. */
  readonly share: () => Promise<number>;
}

/** How many checks had which result. */
export interface Counts {
  held: number;
  failures: number;
  throttled: number;
  /** The probability that a version which fails one request in ten would have passed: each request reaches it with its share of the traffic. */
  overlooked: number;
}

/** Checks a stage again and again, until its deployment is over. Only who calls this folder knows the plants that are sent. */
export type CheckUntil = (over: AbortSignal, stage: CheckedStage) => Promise<Counts>;
