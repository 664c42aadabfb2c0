/** Something to measure: a bundle, and what it leaves out of the operation. */
export interface Subject {
  readonly name: string;
  readonly entry: string;
  /** How a peer is bundled; ours comes as the stack builds it. */
  readonly format?: 'cjs' | 'esm';
  readonly group: 'ours' | 'floor' | 'lite' | 'sdk' | 'framework';
  /** What it does not do that ours does. */
  readonly lacks: string;
}

/** What nobody else does. */
const NO = 'exact int64, published errors, store faults told apart, deadline, log line';

const floor = { group: 'floor', format: 'cjs' } as const;
const sdk = { group: 'sdk', lacks: NO } as const;
/** Frameworks come as CommonJS, the CDK's default and for all of them the faster one. */
const framework = { group: 'framework', format: 'cjs', lacks: NO } as const;

/** Everything that is measured, in the order of the tables. */
export const SUBJECTS: readonly Subject[] = [
  { ...floor, name: 'empty handler', entry: 'empty', lacks: 'everything' },
  { ...floor, name: 'by hand, no SDK', entry: 'by-hand', lacks: `${NO}, retries` },
  { ...floor, name: 'ours on a hand-written client', entry: 'ours-by-hand', lacks: 'the SDK' },
  { name: 'ours', entry: 'ours', group: 'ours', lacks: 'nothing' },
  { name: 'aws-lite', entry: 'aws-lite', format: 'cjs', group: 'lite', lacks: NO },
  { ...sdk, name: 'client-dynamodb, CommonJS', entry: 'bare-client', format: 'cjs' },
  { ...sdk, name: 'client-dynamodb, ESM', entry: 'bare-client', format: 'esm' },
  { ...sdk, name: 'lib-dynamodb, usual bundle', entry: 'bare-document', format: 'esm' },
  { ...framework, name: 'middy, usual bundle', entry: 'middy-bare', format: 'esm' },
  { ...framework, name: 'middy, own middlewares', entry: 'middy-own' },
  { ...framework, name: 'middy, zod', entry: 'middy-zod' },
  { ...framework, name: 'Powertools', entry: 'powertools' },
  {
    ...framework,
    name: 'Powertools, all of it',
    entry: 'powertools-full',
    lacks: 'exact int64, published errors, store faults told apart, deadline',
  },
  { ...framework, name: 'Hono', entry: 'hono' },
  { ...framework, name: 'Express', entry: 'express' },
  { ...framework, name: 'Fastify', entry: 'fastify' },
];
