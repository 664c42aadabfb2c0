import type { Happenings, Trace } from './alarm-simulation.ts';

/** A request that reached the function: its line, and what differs from what every request leaves behind. */
const request = (line: object | undefined, counts: object = {}, more: Partial<Trace> = {}): Trace => ({
  ...(line && { line }),
  responseType: '-',
  counts: { Count: 1, IncomingLogEvents: 1, Invocations: 1, ...counts },
  duration: 13,
  ...more,
});
const failed = (error: number, counts?: object, more?: Partial<Trace>) =>
  request({ outcome: 'failed', error, token: 'shop' }, counts, more);
const refused = (error: number, more: object = {}) => request({ outcome: 'refused', error, ...more });
/** A request to which the gateway responded itself, without a call of the function. */
const byGateway = (responseType: string, more: object = {}): Trace => ({
  responseType,
  counts: { Count: 1, IncomingLogEvents: 1, ...more },
});

const CREATED = { outcome: 'created', token: 'shop' };
const created = request(CREATED);
const lasting = (duration: number) => request(CREATED, {}, { duration });
const fault = failed(50001);
const unanswered = failed(50401, { 'SystemErrors PutItem': 3 });
const unavailable = failed(50301);
const crashed = request(undefined, { Errors: 1 }, { responseType: 'INTEGRATION_FAILURE' });
/** The function has served the request, and its line is missing. */
const notLogged = request(undefined);
const unloggedByGateway: Trace = { line: CREATED, counts: { Count: 1, Invocations: 1 }, duration: 13 };
const noConcurrency = byGateway('INTEGRATION_FAILURE', { Throttles: 1 });
const unknown = refused(40102, { fault: 'unknown token' });
const throttled = byGateway('THROTTLED');
const tableThrottled = request({ ...CREATED, attempts: 2 }, { 'ThrottledRequests PutItem': 1 });
const tableFailed = request({ ...CREATED, attempts: 2 }, { 'SystemErrors PutItem': 1 });
const blocked = byGateway('WAF_FILTERED', { BlockedRequests: 1 });

/** So many of a trace in a minute. */
const at = (...those: [number, Trace][]) => those;
/** The same in each of so many minutes. */
const for_ = (minutes: number, ...those: [number, Trace][]): Happenings =>
  Object.fromEntries(Array.from({ length: minutes }, (_, n) => [n, those]));

/** For each alarm, the smallest event that fires it and the largest that does not, by minute. Periods begin at 0, 5, 10 … */
export const EVENTS: Record<string, { minutes: number; fires: Happenings; not: Happenings }> = {
  Faults: {
    minutes: 1,
    fires: { 0: at([1, fault]) },
    not: { 0: at([900, unanswered], [900, unavailable], [900, crashed]) },
  },
  Unanswered: {
    minutes: 1,
    fires: { 0: at([1, unanswered]) },
    not: { 0: at([900, unavailable], [900, crashed]) },
  },
  StoreUnavailable: {
    minutes: 20,
    fires: { 4: at([2, unavailable], [1, unanswered]), 10: at([3, unavailable]) },
    not: {
      4: at([900, unavailable]),
      5: at([2, unanswered]),
      10: at([2, unavailable]),
      15: at([900, unanswered]),
    },
  },
  Throttled: {
    minutes: 10,
    fires: { 0: at([79, throttled], [1, refused(42901)]) },
    not: { 4: at([79, throttled]), 5: at([79, throttled]) },
  },
  Refusals: {
    minutes: 10,
    fires: { 0: at([1_100, refused(40101)]) },
    not: { 4: at([1_099, refused(40101)]), 5: at([1_099, refused(40002)]) },
  },
  RefusedTokens: {
    minutes: 10,
    fires: { 0: at([70, unknown]) },
    not: { 4: at([69, unknown]), 5: at([69, unknown]) },
  },
  UnknownTokens: {
    minutes: 15,
    fires: { 4: at([3, unknown]), 5: at([3, unknown]), 10: at([3, unknown]) },
    not: { 4: at([900, unknown]), 5: at([900, unknown]), 10: at([900, unknown], [1, created]) },
  },
  NotCompleted: {
    minutes: 10,
    fires: { 4: at([3, notLogged], [2_997, created]), 5: at([3, notLogged]) },
    not: { 4: at([3, notLogged], [2_998, created]), 5: at([3, notLogged], [2_998, created], [900, crashed]) },
  },
  GatewayErrors: {
    minutes: 20,
    fires: { 4: at([3, crashed]), 10: at([3, noConcurrency]) },
    not: { 4: at([900, crashed]), 5: at([2, crashed]), 10: at([2, crashed]), 15: at([900, noConcurrency]) },
  },
  GatewayNotLogged: {
    minutes: 10,
    fires: { 4: at([3, unloggedByGateway]), 5: at([3, unloggedByGateway]) },
    not: { 4: at([900, unloggedByGateway], [1, throttled]), 5: at([900, unloggedByGateway]) },
  },
  FunctionErrors: {
    minutes: 1,
    fires: { 0: at([1, crashed]) },
    not: { 0: at([900, fault], [900, noConcurrency]) },
  },
  FunctionThrottles: {
    minutes: 5,
    fires: { 0: at([1, noConcurrency]) },
    not: { 0: at([900, throttled], [900, crashed]) },
  },
  SlowRequests: {
    minutes: 10,
    fires: { 4: at([1, lasting(3_500)], [98, created]), 5: at([1, lasting(3_500)]) },
    not: { 4: at([1, lasting(6_000)], [99, created]), 5: at([1, lasting(6_000)]) },
  },
  HighLatency: {
    minutes: 15,
    fires: { 4: at([1, lasting(600)], [8, created]), 5: at([1, lasting(600)]), 10: at([1, lasting(600)]) },
    not: {
      4: at([1, lasting(6_000)], [9, created]),
      5: at([9, lasting(6_000)]),
      10: at([9, lasting(6_000)]),
    },
  },
  TableThrottles: {
    minutes: 10,
    fires: { 0: at([80, tableThrottled]) },
    not: { 4: at([79, tableThrottled]), 5: at([79, tableThrottled]) },
  },
  TableErrors: {
    minutes: 10,
    fires: { 0: at([3, tableFailed]) },
    not: { 4: at([2, tableFailed]), 5: at([2, tableFailed]) },
  },
  BlockedByFirewall: {
    minutes: 10,
    fires: { 0: at([80, blocked]) },
    not: { 4: at([79, blocked]), 5: at([79, blocked]) },
  },
  Silence: {
    minutes: 180,
    fires: { 89: at([1, created]) },
    not: { 0: at([1, created]), 179: at([1, created]) },
  },
};

/** The causes of the runbook's table, in its order, each as an event. */
export const CAUSES: [minutes: number, Happenings][] = [
  [20, { 3: at([1, fault], [50, created]) }],
  [20, { 3: at([1, byGateway('API_CONFIGURATION_ERROR')]) }],
  [20, { 3: at([1, unanswered], [50, created]) }],
  [20, for_(20, [2, failed(50401, { 'SystemErrors PutItem': 3 }, { duration: 2_900 })], [1, unavailable])],
  [20, for_(20, [3, unavailable])],
  [20, { 3: at([1, crashed], [50, created]) }],
  [20, for_(20, [3, crashed])],
  [20, for_(20, [3, noConcurrency], [20, created])],
  [20, for_(20, [3, notLogged])],
  [20, for_(20, [3, unloggedByGateway])],
  [20, for_(20, [20, unknown])],
  [90, {}],
  [20, for_(20, [20, throttled], [100, created])],
  [20, for_(20, [20, tableThrottled], [100, created])],
  [20, for_(20, [300, refused(40101)], [1, created])],
  [20, for_(20, [100, blocked], [100, created])],
  [20, for_(20, [20, lasting(3_000)])],
  [20, for_(20, [2, lasting(3_600)], [50, created])],
];

/** Outages in which no plant is accepted for longer than the silence, by the alarm that pages for them. */
export const OUTAGES: Record<string, Happenings> = {
  Faults: for_(200, [3, fault]),
  StoreUnavailable: for_(200, [2, unavailable], [1, unanswered]),
  UnknownTokens: for_(200, [3, unknown]),
  NotCompleted: for_(200, [3, notLogged]),
  GatewayErrors: for_(200, [3, crashed]),
  GatewayNotLogged: for_(200, [3, { ...unloggedByGateway, line: { outcome: 'refused' } }]),
};
