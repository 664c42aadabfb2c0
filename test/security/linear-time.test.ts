import { expect, test } from 'vitest';
import { oneLine } from '../../cli/print.ts';
import { bearerToken, bodyText } from '../../lambda/request/proxy-event.ts';
import { parametersOf } from '../../lambda/routes.ts';

const MILLION = 1_000_000;

/** What reads a text from outside with a pattern. A refusal is a result, too. */
const READERS: Record<string, (text: string) => unknown> = {
  'as Authorization': (text) => bearerToken({ headers: { authorization: text } }),
  'as Content-Type': (text) => bodyText({ headers: { 'content-type': text }, body: '' }),
  'as Content-Encoding': (text) => bodyText({ headers: { 'content-encoding': text }, body: '' }),
  'as a path': (text) => parametersOf({ method: 'GET', path: '/plants/{id}/leaves/{leaf}' }, text),
  'as a line': oneLine,
};

test.each([
  `Bearer${' '.repeat(MILLION)}\n`,
  `Bearer ${'plants_'.repeat(MILLION / 7)}`,
  `Bearer ${'a'.repeat(MILLION)}\n`,
  `application/${'a+'.repeat(MILLION / 2)}`,
  `application/${'a'.repeat(MILLION)}`,
  `application/${'+'.repeat(MILLION)}json`,
  `application/json${'\t '.repeat(MILLION / 2)}x`,
  `${' '.repeat(MILLION)}identity x`,
  '/plants/7/leaves'.repeat(MILLION / 16),
])('a text of one megabyte takes linear time, whatever reads it: %.24s', (text) => {
  for (const [name, read] of Object.entries(READERS)) {
    const start = process.cpuUsage();
    expect(() => read(text)).not.toThrow(Error);
    // Microseconds. Each takes milliseconds; a pattern with backtracking would take minutes.
    expect(process.cpuUsage(start).user, name).toBeLessThan(2_000_000);
  }
});
