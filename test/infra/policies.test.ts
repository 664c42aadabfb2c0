import { describe, expect, test } from 'vitest';
import { alarmPolicies } from './policies/alarms.ts';
import { apiPolicies } from './policies/api.ts';
import { canaryPolicies } from './policies/canary.ts';
import { dashboardPolicies } from './policies/dashboard.ts';
import { functionPolicies } from './policies/function.ts';
import { gatewayAnswerPolicies } from './policies/gateway-answers.ts';
import { metricPolicies } from './policies/metrics.ts';
import { mutate } from './policies/policy.ts';
import { stackPolicies } from './policies/stack.ts';
import { tablePolicies } from './policies/tables.ts';
import { copyOf, TESTED_STAGES } from './synth.ts';

const policies = [
  ...stackPolicies,
  ...tablePolicies,
  ...functionPolicies,
  ...apiPolicies,
  ...gatewayAnswerPolicies,
  ...canaryPolicies,
  ...metricPolicies,
  ...alarmPolicies,
  ...dashboardPolicies,
];

describe.each(policies)('$says', ({ violations, mutants }) => {
  test.each(Object.entries(TESTED_STAGES))('%s', (_, stage) => {
    // Not a comparison of lists, so that the first line of a failure says what is wrong.
    const found = violations(copyOf(stage));
    if (found.length > 0) expect.fail(found.join('\n'));
  });

  // A policy that no changed template violates would prove nothing.
  test.each(mutants.map((mutant, index) => ({ mutant, index })))('detects mutant $index', ({ mutant }) => {
    for (const [name, stage] of Object.entries(TESTED_STAGES)) {
      const synth = copyOf(stage);
      mutate(synth, mutant);
      if (violations(synth).length === 0)
        expect.fail(`not detected in ${name}: ${typeof mutant === 'function' ? mutant : mutant.join(' ')}`);
    }
  });
});
