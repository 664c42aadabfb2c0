/**
 * What histories of the store are possible. The whole model: an id is free, or holds one plant for ever. It is written
 * from the contract (contract/openapi.yaml, docs/decisions) by hand, and uses nothing of the service.
 */

/** What an id holds: a plant's texts as one text, or nothing. */
export type State = string | undefined;

/**
 * What the end of an operation says about its id, at one moment between call and end:
 * - `holds`: the id holds this plant, and this operation may have put it there (200)
 * - `taken`: the id holds another plant (40901)
 * - `open`: this operation may take effect at any moment after its call, even after its end, or never (50401, no response)
 * - `nothing`: this operation has no effect (any other number)
 * - `seen`: somebody read the table, and found this plant or, if it is undefined, nothing
 */
export type Claim = 'holds' | 'taken' | 'open' | 'nothing' | 'seen';

/** One operation on one id. Times are in milliseconds. */
export interface Operation {
  readonly id: string;
  readonly plant: State;
  readonly claim: Claim;
  readonly calledAt: number;
  readonly endedAt: number;
}

/** The state after an operation; false if the operation could not have ended so in this state. */
export function step(state: State, { claim, plant }: Pick<Operation, 'claim' | 'plant'>): State | false {
  if (claim === 'nothing') return state;
  if (claim === 'seen') return state === plant && state;
  if (claim === 'taken') return state !== undefined && state !== plant && state;
  if (claim === 'open') return state ?? plant;
  return (state ?? plant) === plant && plant;
}

/** The claim of a response. @param number 200, an error's number, or undefined if no response came */
export function claimOf(number: number | undefined): Claim {
  if (number === 200) return 'holds';
  if (number === 40901) return 'taken';
  return number === undefined || number === 50401 ? 'open' : 'nothing';
}

/**
 * Whether there is an order of a history's operations that the model allows: each takes effect at one moment between its
 * call and its end (linearizability). Ids are independent of each other, so each has a search of its own.
 * @returns the ids for which there is no such order
 */
export function impossibleIds(operations: readonly Operation[]): string[] {
  const byId = Map.groupBy(operations, ({ id }) => id);
  return [...byId].filter(([, ofId]) => !isPossible(undefined, ofId)).map(([id]) => id);
}

function isPossible(state: State, waiting: readonly Operation[]): boolean {
  // An open operation may also never take effect.
  const required = waiting.filter(({ claim }) => claim !== 'open');
  if (required.length === 0) return true;
  const firstEnd = required.reduce((least, { endedAt }) => Math.min(least, endedAt), Infinity);
  // The next one must have been called before any other has ended.
  const next = waiting.filter(({ calledAt }) => calledAt <= firstEnd);
  const steps = next.map((operation) => ({ operation, after: step(state, operation) }));
  const without = (taken: ReadonlySet<Operation>) => waiting.filter((operation) => !taken.has(operation));
  // What changes nothing may come first without loss: it leaves every other order of the rest as possible as it was.
  const idle = steps.filter(({ after }) => after === state).map(({ operation }) => operation);
  if (idle.length > 0) return isPossible(state, without(new Set(idle)));
  return steps.some(
    ({ operation, after }) => after !== false && isPossible(after, without(new Set([operation]))),
  );
}
