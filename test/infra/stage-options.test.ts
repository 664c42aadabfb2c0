import { readFileSync } from 'node:fs';
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, test } from 'vitest';
import type { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { allStages } from '../../infra/stages.ts';
import { copyOf, PROTECTED, resources, synth, UNPROTECTED } from './synth.ts';

describe('the options of a stage', () => {
  test.each<[boolean, Stage]>([
    [true, PROTECTED],
    [false, { ...PROTECTED, alarmEmail: 'operators@example.com' }],
    [false, UNPROTECTED],
  ])('only a protected stage without an alarm email gets a warning: %s', (expected, stage) => {
    const found: unknown[] = [];
    synth(stage, ({ node }) => found.push(...node.metadata.filter(({ type }) => type === 'aws:cdk:warning')));
    const warning = { data: expect.stringMatching(/^Alarms of production send no email: set alarmEmail/) };
    expect(found).toEqual(expected ? [expect.objectContaining(warning)] : []);
  });
});

// Minimum values, because operators may change those in the stage file.
test.each(allStages())(
  '$name has enough throughput and log retention and, if it is protected, a canary',
  (stage) => {
    const { isProtected, throttle, logDays, canaryMinutes } = stage;
    expect(throttle.rate).toBeGreaterThanOrEqual(isProtected ? 100 : 10);
    expect(logDays).toBeGreaterThanOrEqual(isProtected ? 30 : 7);
    expect(isProtected && canaryMinutes === undefined).toBe(false);
  },
);

test('a new method or a changed gateway answer creates a new deployment of the API', () => {
  const deployment = (change?: (api: RestApi) => void) => {
    const changed = synth(UNPROTECTED, (stack: PlantStoreStack) =>
      change?.(stack.node.findChild('Api') as RestApi),
    );
    return resources(changed, 'AWS::ApiGateway::Deployment').map(([id]) => id);
  };
  const ids = [
    deployment(),
    deployment((api) =>
      api.addGatewayResponse('Another', { type: ResponseType.UNAUTHORIZED, statusCode: '400' }),
    ),
    deployment((api) => api.root.addResource('other').addMethod('GET')),
  ];
  expect(new Set(ids.flat()).size).toBe(3);
});

test('the logical ids in the runbook are in the template', () => {
  const runbook = readFileSync(new URL('../../docs/runbook-procedures.md', import.meta.url), 'utf8');
  const ids = [...new Set(runbook.match(/\b[A-Z][A-Za-z]+[0-9A-F]{8}\b/g))];
  expect(ids.length).toBeGreaterThanOrEqual(2);
  expect(Object.keys(copyOf(PROTECTED).template.Resources)).toEqual(expect.arrayContaining(ids));
});
