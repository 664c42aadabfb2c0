import { Failure } from '../errors.ts';

/** The refusal of a token: 40102, whatever the cause, which only the log has. @param fault a value of docs/runbook-alarms.md */
export function refused(fault: string): Failure {
  return new Failure('INVALID_TOKEN', { fault });
}
