import { JSON_WEB_TOKEN_FAULTS } from './tokens/json-web-token-faults.ts';

/**
 * Our names for causes, for the log; docs/runbook-alarms.md explains each. Other values of `fault` are the names of others: a
 * {@link ForeignName}.
 */
export const FAULTS = [
  // Of our tokens.
  'malformed token',
  'unknown token',
  'expired token',
  // Of the store.
  'connect timeout',
  'timeout',
  'deadline',
  'damaged response',
  'foreign response',
  // Of the function's own time.
  'early response',
  ...JSON_WEB_TOKEN_FAULTS,
] as const;

/** One of them. */
export type Fault = (typeof FAULTS)[number];

/** The name of an error of Node, of a library or of AWS, such as `AccessDeniedException`: a text, marked for the compiler only. */
export type ForeignName = string & { readonly isForeign: true };
