import fc from 'fast-check';
import { LEAST, OTHER, type Plant, WHOLE } from '../../contract/examples.ts';

/** What happens to one attempt of a call to the store. */
export interface StoreFate {
  readonly end: 'response' | 'reset' | '500' | 'throttle' | 'deny' | 'refuse' | 'no connection';
  /** After how many milliseconds the store executes the call; absent: never. */
  readonly arrives?: number;
  /** After how many more milliseconds the function hears of it. */
  readonly ends: number;
}

/** What happens to one HTTP request on its way to a copy of the function and back. */
export interface RequestFate {
  readonly end: 'response' | 'lost' | 'refuse' | 'throttle' | 'crash';
  /** Which copy gets it, if that one is idle. */
  readonly copy: number;
  /** Milliseconds on the way there. */
  readonly travels: number;
  /** Milliseconds on the way back, or from its arrival to the copy's crash. */
  readonly returns: number;
}

/** A plant that a client creates. */
export type PlannedPlant = Plant & { readonly id: number };

/** One call of a client: first it waits. */
export interface Step {
  readonly wait: number;
  readonly plant: PlannedPlant;
}

/** All that is decided before a history begins. What happens beyond the end of a list of fates is harmless. */
export interface Plan {
  readonly clients: readonly (readonly Step[])[];
  readonly requests: readonly RequestFate[];
  readonly reads: readonly StoreFate[];
  readonly puts: readonly StoreFate[];
}

/** Less than the time limit of an attempt, about as much, longer than a request, longer than a client waits. */
const delay = fc.constantFrom(5, 300, 895, 1_500, 4_000, 12_000, 45_000);
const soon = fc.constantFrom(5, 300, 895);

/** The fate of an attempt that meets no fault. */
export const FAIR: StoreFate = { end: 'response', arrives: 5, ends: 5 };
/** The fate of a request that meets no fault. */
export const DIRECT: RequestFate = { end: 'response', copy: 0, travels: 5, returns: 5 };

const anyResponse = fc.record({ end: fc.constant('response'), arrives: delay, ends: delay });
const broken = { end: fc.constantFrom('reset', '500'), arrives: delay, ends: soon };
const refused = fc.record({
  end: fc.constantFrom('throttle', 'deny', 'refuse', 'no connection'),
  ends: soon,
});

const storeFate: fc.Arbitrary<StoreFate> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.constant(FAIR) },
  { weight: 4, arbitrary: anyResponse },
  { weight: 3, arbitrary: fc.record(broken, { requiredKeys: ['end', 'ends'] }) },
  { weight: 2, arbitrary: refused },
);

const requestFate: fc.Arbitrary<RequestFate> = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.nat(2).map((copy) => ({ ...DIRECT, copy })) },
  {
    weight: 2,
    arbitrary: fc.record({
      end: fc.constantFrom('response', 'lost', 'refuse', 'throttle', 'crash'),
      copy: fc.nat(2),
      travels: delay,
      returns: delay,
    }),
  },
);

const plannedPlant: fc.Arbitrary<PlannedPlant> = fc
  .tuple(fc.constantFrom(1, 1, 2), fc.constantFrom(OTHER, LEAST, WHOLE))
  .map(([id, plant]) => ({ id, ...plant }));

const step = fc.record({
  wait: fc.constantFrom(0, 100, 2_000, 10_000, 50_000, 65_000),
  plant: plannedPlant,
});

/** Lists of any length up to the longest. */
const list = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number, minLength = 0) =>
  fc.array(arbitrary, { minLength, maxLength, size: 'max' });

/** Any plan: 2 to 8 clients, few ids. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  clients: fc.oneof(list(list(step, 3, 1), 3, 2), list(list(step, 1, 1), 8, 2)),
  requests: list(requestFate, 16),
  reads: list(storeFate, 16),
  puts: list(storeFate, 16),
});
