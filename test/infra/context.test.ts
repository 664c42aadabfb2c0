import { describe, expect, test } from 'vitest';
import { readStage } from '../../infra/context.ts';
import { problemWith } from '../../infra/stage-check.ts';
import { STAGES, type Stage } from '../../infra/stages.ts';
import { CONTEXT } from './deployed.ts';
import { EVERYTHING } from './stages-deployed.ts';

describe('the words of the command line', () => {
  test('without any, dev; with stage=prod, prod; the flags of cdk.json do not matter', () => {
    expect(readStage(CONTEXT)).toEqual(STAGES.dev);
    expect(readStage({ stage: 'prod' })).toEqual(STAGES.prod);
  });

  test('canary=off takes the canary away and leaves the rest', () => {
    expect(readStage({ stage: 'prod', canary: 'off' })).toEqual({ ...STAGES.prod, canaryMinutes: undefined });
  });

  test('alarmEmail replaces the one of the stage file', () => {
    expect(readStage({ alarmEmail: 'a@example.com' }).alarmEmail).toBe('a@example.com');
  });

  test.each([
    [{ stage: 'staging' }, 'Unknown stage "staging"; choose one of: dev, prod.'],
    [{ stage: 'toString' }, 'Unknown stage "toString"; choose one of: dev, prod.'],
    [{ stage: '' }, 'Unknown stage ""; choose one of: dev, prod.'],
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

describe('the stage file', () => {
  test.each([...Object.values(STAGES), EVERYTHING])('$name is sound', (stage) => {
    expect(problemWith(stage)).toBeUndefined();
  });

  test.each<[Partial<Stage>, RegExp]>([
    [
      { throttle: { rate: 0, burst: 1 } },
      /throttle\.rate cannot be 0; it must be a whole number from 1 to 10000/,
    ],
    [{ throttle: { rate: 1, burst: 1e6 } }, /throttle\.burst cannot be 1000000/],
    [{ throttle: { rate: 1.5, burst: 1 } }, /throttle\.rate cannot be 1\.5/],
    [{ throttle: { rate: Number.NaN, burst: 1 } }, /throttle\.rate/],
    [{ tableCeiling: { reads: 1, writes: 10 } }, /tableCeiling\.writes cannot be 10; .* from 400 to 40000/],
    [{ concurrency: 1_000 }, /concurrency cannot be 1000/],
    [{ logDays: 8 }, /logDays cannot be 8; it must be a number of days that CloudWatch Logs knows/],
    [{ logDays: 9_999 }, /logDays cannot be 9999/],
    [{ canaryMinutes: 5 as 10 }, /canaryMinutes cannot be 5; it must be 10, 15 or 30/],
    [{ aboveNormal: { refusedTokens: 0, throttled: 1 } }, /aboveNormal\.refusedTokens cannot be 0/],
    [{ firewall: { requests: 9 } }, /firewall\.requests cannot be 9/],
    [{ alarmEmail: 'a@b' }, /alarmEmail cannot be "a@b"/],
    [{ alarmEmail: 'a@example.com,b@example.com' }, /alarmEmail/],
    [{ domain: { name: 'https://x.com', certificateArn: '' } }, /domain\.name cannot be "https:\/\/x\.com"/],
    [{ domain: { name: 'plants.example.com', certificateArn: 'x' } }, /domain\.certificateArn cannot be "x"/],
    [{ borrowedTables: { plants: '' } }, /borrowedTables\.plants cannot be ""/],
  ])('%j is refused in one line that says what may stand there', (change, message) => {
    const problem = problemWith({ ...STAGES.dev, ...change });
    expect(problem).toMatch(message);
    expect(problem).not.toContain('\n');
  });
});
