import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { expect, test } from 'vitest';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { allStages } from '../../infra/stages.ts';
import { newApp, PROTECTED, resources, synth, UNPROTECTED } from './synth.ts';

test.each<[boolean, Stage]>([
  [true, PROTECTED],
  [false, { ...PROTECTED, alarmEmail: 'operators@example.com' }],
  [false, UNPROTECTED],
])('only a protected stage without an alarm email gets a warning: %s', (expected, stage) => {
  const { metadata } = new PlantStoreStack(newApp(), stage).node;
  const warnings = metadata.flatMap(({ type, data }) => (type === 'aws:cdk:warning' ? [data] : []));
  const warning = expect.stringMatching(/^Alarms of production send no email: set alarmEmail/);
  expect(warnings).toEqual(expected ? [warning] : []);
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

test('a new method or a changed gateway response creates a new deployment of the API', () => {
  const deployment = (change?: (api: RestApi) => void) => {
    const changed = synth(UNPROTECTED, ({ node }) => change?.(node.findChild('Api') as RestApi));
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
