import { describe, expect, test } from 'vitest';
import { DEPLOYED, type Deployed } from './deployed.ts';
import { alarmPolicies } from './policies/alarms.ts';
import { deploymentPolicies } from './policies/deployment.ts';
import { functionPolicies } from './policies/function.ts';
import { gatewayPolicies } from './policies/gateway.ts';
import { gatewayStagePolicies } from './policies/gateway-stage.ts';
import { seeingPolicies } from './policies/seeing.ts';
import { stackPolicies } from './policies/stack.ts';
import { tablePolicies } from './policies/tables.ts';

const policies = [
  ...stackPolicies,
  ...tablePolicies,
  ...functionPolicies,
  ...gatewayPolicies,
  ...gatewayStagePolicies,
  ...deploymentPolicies,
  ...alarmPolicies,
  ...seeingPolicies,
];

describe.each(policies)('$says', ({ violations, mutations }) => {
  test.each(Object.keys(DEPLOYED))('%s', (name) => {
    expect(violations(copyOf(name))).toEqual([]);
  });

  // A policy that no broken template upsets would say nothing.
  test.each(mutations.map((mutate, index) => ({ mutate, index })))(
    'notices mutation $index',
    ({ mutate }) => {
      for (const name of ['dev', 'prod']) {
        const mutant = copyOf(name);
        mutate(mutant);
        expect(violations(mutant), name).not.toEqual([]);
      }
    },
  );
});

function copyOf(name: string): Deployed {
  return structuredClone(DEPLOYED[name]) as Deployed;
}
