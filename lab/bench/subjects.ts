/** A bundle to measure. */
export interface Subject {
  readonly name: string;
  /** A file of `peers/`; without one, the function of a checkout of this project. */
  readonly entry?: string;
  /** The module format that a peer is bundled as: CommonJS unless it says otherwise. */
  readonly format?: 'esm';
  /** The root of another checkout of this project to build instead of this one. */
  readonly checkout?: string;
}

/** This checkout's own function. */
export const OURS: Subject = { name: 'ours' };

/** All subjects, in the order of the tables. @param before the root of another checkout to measure beside ours */
export function subjects(before?: string): Subject[] {
  return [
    { name: 'empty handler', entry: 'empty' },
    { name: 'by hand, no SDK', entry: 'by-hand' },
    OURS,
    ...(before === undefined ? [] : [{ name: 'ours, before', checkout: before }]),
    { name: 'aws-lite', entry: 'aws-lite' },
    { name: 'client-dynamodb', entry: 'bare-client' },
    { name: 'middy, ES module', entry: 'middy', format: 'esm' },
    { name: 'Hono', entry: 'hono' },
    { name: 'Powertools event handler', entry: 'powertools' },
  ];
}
