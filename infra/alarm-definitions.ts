import { STORE_BUDGET_MS } from '../lambda/limits.ts';
import { ERRORS } from '../lambda/published-errors.ts';
import type { Metrics } from './metrics.ts';
import { hasOwnTokens } from './optional-code.ts';
import type { Stage } from './stage-settings.ts';

/** One alarm: when it fires, and what it means for clients. */
export interface AlarmDefinition {
  readonly metric: Exclude<keyof Metrics, 'tokenReadUnits'>;
  /** It fires at this value or above, in the metric's unit; or if there was none for so many minutes. */
  readonly fires: { readonly atLeast: number } | { readonly silentMinutes: number };
  /** In how many of the last periods the value must be reached; default: in the last one. */
  readonly periods?: { readonly breaching: number; readonly of: number };
  /** What it counts or measures, as in "3 or more …". */
  readonly counts: string;
  /** Who is affected and how; the first part of the alarm's description. */
  readonly impact: string;
  /**
   * Whether it notifies the pager, if the stage has one: only if clients are affected now, the problem will not resolve itself, and no
   * other alarm pages for it.
   */
  readonly pages: boolean;
}

/** The alarm that notifies the pager in place of Silence, which is also a consequence of what the others tell: one page is enough for one outage. */
export const SILENCE_ALONE = 'SilenceAlone';

/** Whether an alarm notifies the pager itself, if the stage has one. */
export const notifiesPager = ({ pages, fires }: AlarmDefinition) => pages && !('silentMinutes' in fires);

/** What each alarm of a stage watches. Its name is also the title of a section of docs/runbook-alarms.md. */
export function alarmDefinitions(stage: Stage) {
  const { refusals, refusedTokens, throttled, duration } = stage.aboveNormal;
  const { error: badToken } = ERRORS.INVALID_TOKEN;
  const { error: slowDown } = ERRORS.TOO_MANY_REQUESTS;
  const { error: fault } = ERRORS.SERVICE_FAULT;
  const { error: blocked } = ERRORS.REFUSED_BY_FIREWALL;
  const { error: unavailable } = ERRORS.UNAVAILABLE;
  const { error: noResponse } = ERRORS.NO_RESPONSE;
  return {
    Faults: {
      metric: 'faults',
      counts: `requests with ${fault}`,
      fires: { atLeast: 1 },
      impact: `Clients get ${fault} because of a fault in the service, and retrying does not help.`,
      // A bug, a missing table or permission: only a person can roll back or restore it.
      pages: true,
    },
    Unanswered: {
      metric: 'unanswered',
      counts: `requests with ${noResponse} from the function`,
      fires: { atLeast: 1 },
      impact: `Clients get ${noResponse}: DynamoDB did not answer, and their plants may be stored.`,
      // Takes back a canary, because a new version can cause it. StoreUnavailable pages if it lasts.
      pages: false,
    },
    StoreUnavailable: {
      metric: 'unavailable',
      counts: `requests with ${unavailable} or ${noResponse} from the function`,
      fires: { atLeast: 3 },
      // A client that retries survives a failure of seconds, and not one of ten minutes.
      periods: { breaching: 2, of: 3 },
      impact: `Clients get ${unavailable} or ${noResponse}: most plants are not stored, and those that have given up must send them again.`,
      // Perhaps a deployment of ours, or a policy, has begun it.
      pages: true,
    },
    Throttled: {
      metric: 'throttled',
      counts: `requests with ${slowDown}`,
      fires: { atLeast: throttled },
      impact: `Clients get ${slowDown} and have to slow down, perhaps because of another client.`,
      // The throttle does what it is for; a higher one is a decision by day.
      pages: false,
    },
    Refusals: {
      metric: 'refused',
      counts: 'requests that the function refused',
      fires: { atLeast: refusals },
      impact:
        'No client is affected, but each refused request costs nearly as much as a plant: a stranger sends them, or a client in a loop.',
      // Money only; the throttle limits it.
      pages: false,
    },
    RefusedTokens: {
      metric: 'refusedTokens',
      counts: `requests with ${badToken}`,
      fires: { atLeast: refusedTokens },
      impact: 'A client sends an expired or revoked access token, or somebody is guessing tokens.',
      // A token cannot be guessed, and the owner of an expired one must ask for another. UnknownTokens pages if none works.
      pages: false,
    },
    ...(stage.isProtected &&
      hasOwnTokens(stage) && {
        UnknownTokens: {
          metric: 'unknownTokens',
          counts: 'requests with an unknown token and none with a valid one',
          fires: { atLeast: 3 },
          // One request of a client ends it, so a single sender with a wrong token sets it off only while no client sends anything
          // for 15 minutes. With two periods of a minute, two minutes would do: some night, if clients send at random and fewer
          // than 8 requests a minute (now: fewer than 1), and fewer than 3 a minute might never set it off.
          periods: { breaching: 3, of: 3 },
          impact: `Perhaps no client can use the service: all get ${badToken}, because the service knows no token that is sent.`,
          // The tokens are gone: only a person can restore them.
          pages: true,
        },
      }),
    NotCompleted: {
      metric: 'notCompleted',
      counts: 'invocations with neither a log line nor a crash',
      fires: { atLeast: 3 },
      periods: { breaching: 2, of: 3 },
      impact:
        'Nobody sees what clients get: invocations ended without writing their log line, on which most alarms count.',
      // A role that lost its permissions cannot write lines: no other alarm fires. GatewayErrors pages for what crashed.
      pages: true,
    },
    GatewayErrors: {
      metric: 'gatewayErrors',
      counts: `responses of the gateway's own with ${noResponse}`,
      fires: { atLeast: 3 },
      periods: { breaching: 2, of: 3 },
      impact: `Clients get ${noResponse} from the gateway: it got no usable response from the function.`,
      // The function may see no request any more, so that no alarm on its log can fire.
      pages: true,
    },
    GatewayNotLogged: {
      metric: 'gatewayNotLogged',
      counts: "requests without any line of the gateway's log",
      fires: { atLeast: 3 },
      periods: { breaching: 2, of: 3 },
      impact: `Perhaps clients get ${noResponse} from the gateway, and nobody is told: it writes no log, on which GatewayErrors counts.`,
      // Of what happens then, no other alarm tells.
      pages: true,
    },
    FunctionErrors: {
      metric: 'functionErrors',
      counts: 'failed invocations',
      fires: { atLeast: 1 },
      impact: `Clients get ${noResponse}: the function crashed, timed out or ran out of memory.`,
      // Takes back a canary. GatewayErrors counts the same requests, and pages if it lasts.
      pages: false,
    },
    FunctionThrottles: {
      metric: 'functionThrottles',
      counts: 'refused invocations',
      fires: { atLeast: 1 },
      impact: `Clients get ${noResponse} at once: Lambda has no free concurrency for the function.`,
      // GatewayErrors counts the same requests, and pages if it lasts.
      pages: false,
    },
    SlowRequests: {
      metric: 'functionDuration',
      counts: 'milliseconds at the 99th percentile',
      // The store's time budget. The next limits are the early response and Lambda's timeout.
      fires: { atLeast: STORE_BUDGET_MS },
      periods: { breaching: 2, of: 3 },
      impact: `One request in a hundred takes seconds and is close to ${noResponse}.`,
      // The requests succeed; those that fail set off other alarms.
      pages: false,
    },
    HighLatency: {
      metric: 'usualDuration',
      counts: 'milliseconds at the 90th percentile',
      fires: { atLeast: duration },
      // A start of a process, or a retry, is slow now and then; where there are few requests, each may be one.
      periods: { breaching: 3, of: 3 },
      impact: 'Clients wait longer than usual, for one request in ten or more; all may still get 200.',
      // Nothing fails.
      pages: false,
    },
    TableThrottles: {
      metric: 'tableThrottles',
      counts: 'refused calls',
      fires: { atLeast: throttled },
      impact: `Clients wait for another attempt, or get ${slowDown}: DynamoDB throttles calls to a table.`,
      // It ends by itself, when the table has adapted or the clients slow down.
      pages: false,
    },
    TableErrors: {
      metric: 'tableErrors',
      counts: 'failed calls',
      fires: { atLeast: 3 },
      impact: `Clients wait for another attempt, or get ${unavailable} or ${noResponse}: DynamoDB has server errors.`,
      // AWS has to act. StoreUnavailable pages if clients are hurt for long.
      pages: false,
    },
    ...(stage.firewall && {
      BlockedByFirewall: {
        metric: 'blocked',
        counts: `requests with ${blocked}`,
        fires: { atLeast: throttled },
        impact: `An address gets ${blocked} for every request, perhaps that of a client.`,
        // It ends some minutes after the address sends less, and all others are served.
        pages: false,
      },
    }),
    ...(stage.expectsPlants && {
      Silence: {
        metric: 'accepted',
        counts: 'plants accepted',
        fires: { silentMinutes: stage.expectsPlants.minutes },
        impact: 'Perhaps no client can reach the service: no plant arrives, and nothing else shows it.',
        // A certificate, DNS, a firewall or a deleted stack: no other alarm fires, and only a person can mend it.
        pages: true,
      },
    }),
  } as const satisfies Record<string, AlarmDefinition>;
}
