import { describe, expect, test } from 'vitest';
import { alarmPolicies } from './policies/alarms.ts';
import { apiPolicies } from './policies/api.ts';
import { canaryPolicies } from './policies/canary.ts';
import { dashboardPolicies } from './policies/dashboard.ts';
import { functionPolicies } from './policies/function.ts';
import { gatewayAnswerPolicies } from './policies/gateway-answers.ts';
import { metricPolicies } from './policies/metrics.ts';
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

describe.each(policies)('$says', ({ violations, mutations }) => {
  test.each(Object.entries(TESTED_STAGES))('%s', (_, stage) => {
    // Not a comparison of lists, so that the first line of a failure says what is wrong.
    const found = violations(copyOf(stage));
    if (found.length > 0) expect.fail(found.join('\n'));
  });

  // A policy that no mutated template violates would prove nothing.
  test.each(mutations.map((mutate, index) => ({ mutate, index })))(
    'detects mutation $index',
    ({ mutate }) => {
      for (const [name, stage] of Object.entries(TESTED_STAGES)) {
        const mutant = copyOf(stage);
        mutate(mutant);
        if (violations(mutant).length === 0) expect.fail(`not detected in ${name}: ${mutate}`);
      }
    },
  );
});
