/** The section of the runbook on `npm run rollback`. */
export const RUNBOOK = 'docs/deploy.md#roll-back-a-deployment';

/** The section on what to do next. */
export const AFTER = 'docs/deploy.md#after-a-rollback';
