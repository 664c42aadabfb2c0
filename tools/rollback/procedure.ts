/** The section of the runbook on `npm run rollback`. */
export const RUNBOOK = 'docs/runbook-procedures.md#roll-back-a-deployment';
