import { setTimeout as pause } from 'node:timers/promises';
import type { Violation } from '../contract/judge-response.ts';
import { LATE_CASE } from '../contract/list-cases.ts';

/** In all five seconds, which are more than DynamoDB needs to update an index. */
const ATTEMPTS = 11;
const PAUSE_MS = 500;

/** Judges a case, and, if it reads what DynamoDB updates a moment later, again until it holds. @param pauseMs before each repetition */
export async function judgeWhenReady(
  name: string,
  judge: () => Promise<Violation[]>,
  pauseMs = PAUSE_MS,
): Promise<Violation[]> {
  for (let attempt = 1; ; attempt += 1) {
    const violations = await judge();
    if (violations.length === 0 || name !== LATE_CASE || attempt === ATTEMPTS) return violations;
    await pause(pauseMs);
  }
}
