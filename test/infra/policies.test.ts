import { describe, expect, test } from 'vitest';
import { alarmPolicies } from './policies/alarms.ts';
import { deploymentPolicies } from './policies/deployment.ts';
import { functionPolicies } from './policies/function.ts';
import { gatewayPolicies } from './policies/gateway.ts';
import { gatewayStagePolicies } from './policies/gateway-stage.ts';
import { seeingPolicies } from './policies/seeing.ts';
import { stackPolicies } from './policies/stack.ts';
import { tablePolicies } from './policies/tables.ts';
import { deployedStage, TESTED_STAGES } from './stages-deployed.ts';

const STAGE_NAMES = Object.keys(TESTED_STAGES) as (keyof typeof TESTED_STAGES)[];

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
  test.each(STAGE_NAMES)('%s', (name) => {
    expect(violations(deployedStage(name))).toEqual([]);
  });

  // A policy that no broken template upsets would say nothing.
  test.each(mutations.map((mutate, index) => ({ mutate, index })))(
    'notices mutation $index',
    ({ mutate }) => {
      for (const name of STAGE_NAMES) {
        const mutant = deployedStage(name);
        mutate(mutant);
        expect(violations(mutant), name).not.toEqual([]);
      }
    },
  );
});
