import { expect, test } from 'vitest';
import { findStage } from '../../infra/find-stage.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { EVERYTHING, newApp, PROTECTED, UNPROTECTED } from './synth.ts';

test('only a protected stage without an alarm email gets a warning', () => {
  const warned = [PROTECTED, EVERYTHING, UNPROTECTED].flatMap((stage) =>
    new PlantStoreStack(newApp(), stage).node.metadata.filter(({ type }) => type === 'aws:cdk:warning'),
  );
  const data = expect.stringMatching(/^Alarms of production send no email: set alarmEmail/);
  expect(warned).toEqual([expect.objectContaining({ data })]);
});

test('prod is protected and deployed by canary, and dev can be destroyed', () => {
  const canaryMinutes = expect.any(Number);
  expect(findStage('prod')).toMatchObject({ isProtected: true, canaryMinutes });
  expect(findStage('dev').isProtected).toBe(false);
});
