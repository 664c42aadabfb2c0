/** The section of the runbook on `npm run rollback`. */
export const RUNBOOK = 'docs/runbook-procedures.md#roll-back-a-deployment';

/** The section on what to do next. */
export const AFTER = 'docs/runbook-procedures.md#after-a-rollback';
