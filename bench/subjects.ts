/** Something to measure: a bundle, and what it leaves out of the operation. */
export interface Subject {
  readonly name: string;
  readonly entry: string;
  readonly format: 'cjs' | 'esm';
  readonly group: 'ours' | 'floor' | 'sdk' | 'framework';
  /** What it does not do that ours does. */
  readonly lacks: string;
}

const NO = 'exact int64, published errors, store faults told apart, deadline, log line';

/** Everything that is measured, in the order of the tables. */
export const SUBJECTS: readonly Subject[] = [
  { name: 'empty handler', entry: 'empty', format: 'cjs', group: 'floor', lacks: 'everything' },
  { name: 'by hand, no SDK', entry: 'by-hand', format: 'cjs', group: 'floor', lacks: `${NO}, retries` },
  { name: 'ours', entry: 'ours', format: 'cjs', group: 'ours', lacks: 'nothing' },
  { name: 'client-dynamodb, CommonJS', entry: 'bare-client', format: 'cjs', group: 'sdk', lacks: NO },
  { name: 'client-dynamodb, ESM', entry: 'bare-client', format: 'esm', group: 'sdk', lacks: NO },
  { name: 'lib-dynamodb, usual bundle', entry: 'bare-document', format: 'esm', group: 'sdk', lacks: NO },
  { name: 'middy, usual bundle', entry: 'middy-bare', format: 'esm', group: 'framework', lacks: NO },
];
