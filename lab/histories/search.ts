import { type Operation, type State, step } from './model.ts';

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
