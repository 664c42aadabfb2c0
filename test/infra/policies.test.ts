import { describe, expect, test } from 'vitest';
import { changesOf } from './changes.ts';
import { alarmPolicies } from './policies/alarms.ts';
import { apiPolicies } from './policies/api.ts';
import { dashboardPolicies } from './policies/dashboard.ts';
import { functionPolicies } from './policies/function.ts';
import { gatewayResponsePolicies } from './policies/gateway-responses.ts';
import { metricFilterPolicies } from './policies/metric-filters.ts';
import { optionPolicies } from './policies/options.ts';
import { permissionPolicies } from './policies/permissions.ts';
import { pipelinePolicies } from './policies/pipeline.ts';
import type { Policy } from './policies/policy.ts';
import { queryPolicies } from './policies/queries.ts';
import { stackPolicies } from './policies/stack.ts';
import { tablePolicies } from './policies/tables.ts';
import { copyOf, EVERYTHING, only, type StackSynth, synthPipeline, TESTED_STAGES, textOf } from './synth.ts';

const stagePolicies = [
  ...stackPolicies,
  ...tablePolicies,
  ...functionPolicies,
  ...permissionPolicies,
  ...apiPolicies,
  ...gatewayResponsePolicies,
  ...optionPolicies,
  ...metricFilterPolicies,
  ...alarmPolicies,
  ...dashboardPolicies,
  ...queryPolicies,
];

describe.each(Object.values(TESTED_STAGES))('stage $name', (stage) => {
  test.each(stagePolicies)('$says', ({ violations }) => {
    // Not a comparison of lists, so that the first line of a failure says what is wrong.
    expect.soft(violations(copyOf(stage)).join('\n')).toBe('');
  });
});

describe.each([true, false])('the pipeline of an account that has a provider: %s', (hasProvider) => {
  const pipeline = synthPipeline(hasProvider);
  test.each(pipelinePolicies(hasProvider))('$says', ({ violations }) => {
    expect.soft(violations(pipeline).join('\n')).toBe('');
  });
});

/** Changes that no policy has to detect. */
const FREE = [
  // Text for people.
  /\.(Description|Metadata)\b/,
  /\.AlarmDescription: Impact: /,
  /\.json\.message: /,
  /\.widgets\.\d+\.(x|y|width|height)\b/,
  /\.widgets\.\d+\.properties\.(title|markdown): /,
  // Made by the CDK: a hash of the function's code, and a check of `cdk bootstrap`.
  /\.S3Key: /,
  /^template\.(Parameters|Rules)\.\w+/,
];

/** The places at which a change of a stack violates no policy. A policy that throws would fail its own test. */
function undetected<S extends StackSynth>(synth: S, policies: readonly Policy<S>[]): string[] {
  // Neighbors are usually detected by the same policy, so the last ones are tried first: otherwise this takes a minute.
  const latest = [...policies];
  const isDetected = (changed: S) => {
    const index = latest.findIndex((policy) => violates(policy, changed));
    if (index > 0) latest.unshift(...latest.splice(index, 1));
    return index !== -1;
  };
  const changes = (['template', 'stack'] as const).flatMap((part) =>
    [...changesOf(synth[part], part)].map(([place, value]) => ({
      place,
      changed: { ...synth, [part]: value },
    })),
  );
  expect(changes.length).toBeGreaterThan(500);
  return changes
    .filter(({ place, changed }) => !FREE.some((each) => each.test(place)) && !isDetected(changed))
    .map(({ place }) => place);
}

function violates<S extends StackSynth>({ violations }: Policy<S>, changed: S): boolean {
  try {
    return violations(changed).length > 0;
  } catch {
    return true;
  }
}

describe('no value can change without violating a policy', () => {
  test('of a stage with every option', () => {
    const synth = copyOf(EVERYTHING);
    const { Properties } = only(synth, 'AWS::CloudWatch::Dashboard');
    // As text, so that the values in it are changed one by one.
    Properties.DashboardBody = textOf(Properties.DashboardBody);
    expect(undetected(synth, stagePolicies)).toEqual([]);
  });

  test('of the pipeline', () => {
    expect(undetected(synthPipeline(false), pipelinePolicies(false))).toEqual([]);
  });
});
