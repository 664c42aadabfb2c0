/** The names of the stages that can be deployed. */
export type StageName = 'dev' | 'prod';

/** The name of a stage's stack. */
export function stackName(stage: StageName): string {
  return `PlantStore-${stage}`;
}

/** A name of our own for the service, instead of the gateway's. */
export interface Domain {
  /** The host name, such as `plants.example.com`. */
  readonly name: string;
  /** An ACM certificate for it, in the stack's own Region. */
  readonly certificateArn: string;
  /** The Route 53 zone that gets the record; without one, point the name at the `DomainTarget` output yourself. */
  readonly zone?: { readonly id: string; readonly name: string };
}

/** Everything in which one stage differs from another. What is the same in all stages stands beside its resource. */
export interface Stage {
  readonly name: StageName;
  /**
   * Whether the data outlives mistakes: tables and logs stay when the stack goes, tables refuse deletion, the stack
   * refuses it too, and every published version of the function is kept to go back to.
   */
  readonly isProtected: boolean;
  /** How long a tenth of the traffic tries a new version before all of it follows; absent: all at once. */
  readonly canaryMinutes?: 10 | 15 | 30;
  /** What the gateway lets through to the stage: requests per second, and the bucket for bursts. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** A ceiling on the bill of each table, in request units per second; absent: DynamoDB's own quota. */
  readonly tableCeiling?: { readonly reads: number; readonly writes: number };
  /** Concurrent executions reserved for the function; absent: none, because a new account cannot reserve any. */
  readonly concurrency?: number;
  /** How long logs are kept, in days; one of the numbers that CloudWatch Logs knows. */
  readonly logDays: number;
  /** Above normal: how many answers of a kind in five minutes ring an alarm. */
  readonly aboveNormal: { readonly refusedTokens: number; readonly throttled: number };
  /** Who is told when an alarm rings. SNS asks this address once for its consent. */
  readonly alarmEmail?: string;
  /** A name of our own; absent: the gateway's. */
  readonly domain?: Domain;
  /** A web application firewall that refuses an address after this many requests in five minutes; absent: none. */
  readonly firewall?: { readonly requests: number };
  /** Existing tables to use in place of the stack's own, by name: see "Restore to a point in time" in the runbook. */
  readonly borrowedTables?: { readonly plants?: string; readonly accessTokens?: string };
}

/** What differs between the stages. This file is the only place, and it is committed: no stage is made by hand. */
export const STAGES: Readonly<Record<StageName, Stage>> = {
  /** For trying things: cheap, deployed all at once, and gone when the stack is destroyed. */
  dev: {
    name: 'dev',
    isProtected: false,
    throttle: { rate: 20, burst: 40 },
    // One plant of 400 KB is 400 write units; a lower ceiling would throttle it forever.
    tableCeiling: { reads: 100, writes: 500 },
    logDays: 7,
    aboveNormal: { refusedTokens: 20, throttled: 20 },
  },
  /** For clients: protected, deployed by canary, and watched. */
  prod: {
    name: 'prod',
    isProtected: true,
    canaryMinutes: 10,
    throttle: { rate: 500, burst: 1_000 },
    logDays: 90,
    aboveNormal: { refusedTokens: 100, throttled: 50 },
  },
};
