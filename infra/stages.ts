/** A domain name of our own, in addition to the gateway's. */
export interface Domain {
  /** The host name, such as `plants.example.com`. */
  readonly name: string;
  /** An ACM certificate for it, in the stack's own Region. */
  readonly certificateArn: string;
  /** The Route 53 zone that gets the record; without one, point the name at the `DomainTarget` output by hand. */
  readonly zone?: { readonly id: string; readonly name: string };
}

/** Everything in which one stage differs from another. What all stages share is written where its resource is made. */
export interface Stage {
  /** Part of the names of the stack, the API's stage, alarms and metrics. */
  readonly name: string;
  /**
   * Whether the data is protected: tables and logs remain when the stack is deleted, stack and tables refuse to be
   * deleted, and every published version of the function is kept for a rollback.
   */
  readonly isProtected: boolean;
  /** For how many minutes a new version gets a tenth of the traffic before it gets all; absent: all at once. */
  readonly canaryMinutes?: 10 | 15 | 30;
  /** The gateway's throttle for the whole stage: requests per second, and the size of a burst. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** A ceiling on the cost of each table, in request units per second; absent: DynamoDB's own quota. */
  readonly tableCeiling?: { readonly reads: number; readonly writes: number };
  /** Concurrent executions reserved for the function; absent: none, because a new account cannot reserve any. */
  readonly concurrency?: number;
  /** For how many days logs are kept; one of the retentions that CloudWatch Logs has. */
  readonly logDays: number;
  /** How many refused tokens, or throttled requests, in five minutes raise an alarm. */
  readonly aboveNormal: { readonly refusedTokens: number; readonly throttled: number };
  /** Who is told when an alarm fires. SNS first asks this address for its consent. */
  readonly alarmEmail?: string;
  /** A domain name of our own; absent: the gateway's only. */
  readonly domain?: Domain;
  /** A web application firewall that blocks an address after this many requests in five minutes; absent: none. */
  readonly firewall?: { readonly requests: number };
  /** Existing tables to use in place of the stack's own, by name: see "Restore to a point in time" in the runbook. */
  readonly borrowedTables?: { readonly plants?: string; readonly accessTokens?: string };
}

/** The stages. To add one, add it here: nothing else in the repository lists them. */
export const STAGES = withNames({
  /** For experiments: cheap, deployed all at once, and nothing remains when the stack is destroyed. */
  dev: {
    isProtected: false,
    throttle: { rate: 20, burst: 40 },
    // One plant of 400 KB needs 400 write units; a lower ceiling would refuse it for ever.
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
});

function withNames<Name extends string>(
  settings: Readonly<Record<Name, Omit<Stage, 'name'>>>,
): Readonly<Record<Name, Stage>> {
  const entries = Object.entries<Omit<Stage, 'name'>>(settings);
  const named = entries.map(([name, others]) => [name, { name, ...others }]);
  return Object.fromEntries(named);
}
