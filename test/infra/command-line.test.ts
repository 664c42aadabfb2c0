import { describe, expect, test } from 'vitest';
import { checkStage, readStage } from '../../infra/command-line.ts';
import { STAGES, type Stage } from '../../infra/stages.ts';
import { CONTEXT, EVERYTHING } from './synth.ts';

const NAMES = Object.keys(STAGES).join(', ');

describe('the options of the command line', () => {
  test('the default stage is dev, which is not protected; flags in cdk.json are ignored', () => {
    expect(readStage(CONTEXT)).toMatchObject({ name: 'dev', isProtected: false });
  });

  test('stage=prod is the protected stage', () => {
    expect(readStage({ stage: 'prod' })).toMatchObject({ name: 'prod', isProtected: true });
  });

  test.each(Object.keys(STAGES))('stage=%s has that name and its own settings', (stage) => {
    expect(readStage({ stage })).toEqual({ ...STAGES[stage as 'dev'], name: stage });
  });

  test('canary=off removes the canary and nothing else', () => {
    expect(readStage({ stage: 'prod', canary: 'off' })).toEqual({ ...STAGES.prod, canaryMinutes: undefined });
  });

  test('alarmEmail overrides the stage file', () => {
    expect(readStage({ alarmEmail: 'a@example.com' }).alarmEmail).toBe('a@example.com');
  });

  test.each([
    [{ stage: 'prdo' }, `Unknown stage "prdo"; choose one of: ${NAMES}.`],
    [{ stage: 'toString' }, `Unknown stage "toString"; choose one of: ${NAMES}.`],
    [{ stage: '' }, `Unknown stage ""; choose one of: ${NAMES}.`],
    [{ canary: 'no' }, 'Unknown canary "no"; choose one of: on, off.'],
    [{ stgae: 'prod' }, 'Unknown context key "stgae"; choose one of: stage, canary, alarmEmail.'],
    [
      { alarmEmail: 'me' },
      'Stage dev: alarmEmail cannot be "me"; it must be one e-mail address, such as operators@example.com.',
    ],
  ])('%j is refused in one line', (context, message) => {
    expect(() => readStage(context)).toThrow(message);
  });
});

describe('the values of a stage', () => {
  test.each([...Object.values(STAGES), EVERYTHING])('$name is accepted', (stage) => {
    expect(() => checkStage(stage)).not.toThrow();
  });

  test.each<[Partial<Stage>, string]>([
    [{ alarmEmail: 'a@b' }, 'Stage dev: alarmEmail cannot be "a@b"; it must be one e-mail address'],
    [{ alarmEmail: 'a@example.com,b@example.com' }, 'alarmEmail cannot be'],
    [
      { tableCeiling: { reads: 100, writes: 399 } },
      'Stage dev: tableCeiling.writes cannot be 399; it must be at least 400, because one plant can need as many.',
    ],
    [{ logDays: 8 }, 'Stage dev: logDays cannot be 8; it must be a retention of CloudWatch Logs'],
    [{ logDays: 9_999 }, 'logDays cannot be 9999'],
    [
      { allowedOrigins: ['https://app.example.com', 'https://app.example.com/'] },
      'Stage dev: allowedOrigins cannot be "https://app.example.com/"; it must be an origin as browsers send it, such as',
    ],
    [
      { allowedOrigins: ['*'], isProtected: true },
      'Stage dev: allowedOrigins cannot be "*"; it must be a list of origins, because the stage is protected.',
    ],
    [
      { allowedOrigins: [] },
      'Stage dev: allowedOrigins cannot be []; it must be a list with at least one origin, or absent.',
    ],
  ])('%j is refused in one line', (change, message) => {
    expect(() => checkStage({ ...STAGES.dev, ...change })).toThrow(message);
  });
});
