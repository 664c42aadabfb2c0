/** A custom domain name, in addition to the gateway's. */
export interface Domain {
  /** The host name, such as `plants.example.com`. */
  readonly name: string;
  /** An ACM certificate for it, in the stack's own Region. */
  readonly certificateArn: string;
  /** The Route 53 zone for the DNS record; if absent, point the name at the output `DomainTarget` by hand. */
  readonly zone?: { readonly id: string; readonly name: string };
}

/** The settings that differ between stages. Settings that all stages share are where the resource is made. */
export interface Stage {
  /** Part of the names of the stack, the API's stage, alarms and metrics. */
  readonly name: string;
  /**
   * Whether the data is protected: stack and tables have deletion protection, tables and logs remain when the stack is
   * deleted, and every published version of the function is kept for a rollback.
   */
  readonly isProtected: boolean;
  /** For how many minutes a new version gets only a tenth of the traffic; absent: all traffic at once. */
  readonly canaryMinutes?: 10 | 15 | 30;
  /** The gateway's throttle for the whole stage: requests per second, and the size of a burst. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** A limit on the cost of each table, in request units per second; absent: DynamoDB's own quota. */
  readonly tableCeiling?: { readonly reads: number; readonly writes: number };
  /** Concurrent executions reserved for the function; absent: none, because a new account cannot reserve any. */
  readonly concurrency?: number;
  /** For how many days logs are kept; one of CloudWatch Logs' retentions. */
  readonly logDays: number;
  /** How many refused tokens, or throttled requests, in five minutes set off an alarm. */
  readonly aboveNormal: { readonly refusedTokens: number; readonly throttled: number };
  /** The address that alarms notify. SNS first asks it for its consent. */
  readonly alarmEmail?: string;
  /** A custom domain name; absent: only the gateway's. */
  readonly domain?: Domain;
  /** A web application firewall that blocks an address after so many requests in five minutes; absent: none. */
  readonly firewall?: { readonly requests: number };
  /**
   * The origins of browser apps that may use the service, such as `https://app.example.com`; absent: none. Only the first can
   * read the gateway's own answers. `*` is any origin, and not for a protected stage.
   */
  readonly allowedOrigins?: readonly string[];
  /** The names of existing tables to use instead of the stack's own: see "Restore to a point in time" in the runbook. */
  readonly borrowedTables?: { readonly plants?: string; readonly accessTokens?: string };
}

/** The stages. A new stage needs an entry here and nothing else. */
export const STAGES = withNames({
  /** For experiments: cheap, deployed all at once, and nothing remains when the stack is destroyed. */
  dev: {
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
});

function withNames<Name extends string>(
  settings: Readonly<Record<Name, Omit<Stage, 'name'>>>,
): Readonly<Record<Name, Stage>> {
  const entries = Object.entries<Omit<Stage, 'name'>>(settings);
  const named = entries.map(([name, others]) => [name, { name, ...others }]);
  return Object.fromEntries(named);
}
