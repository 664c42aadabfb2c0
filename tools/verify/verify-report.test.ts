import { describe, expect, test } from 'vitest';
import type { Result } from './check.ts';
import { movedRefusal, newId, VERIFY_IDS } from './ids.ts';
import { COLORS, report, summaryOf, verdictOf } from './report.ts';

const held: Result = { group: 'ids', rule: 'zero', verdict: 'held', reasons: [] };
const broken = (rule: string, ...reasons: string[]): Result => {
  return { group: 'ids', rule, verdict: 'did not hold', reasons };
};
const open = (rule: string, ...reasons: string[]): Result => {
  return { group: 'races', rule, verdict: 'not judged', reasons };
};
const ALL = [
  held,
  broken('one', 'status 500', 'no\nnosniff'),
  broken('two', 'status 201'),
  open('three', 'no token', 'no time'),
  open('four', 'no token', 'no time'),
  open('five', 'in\nuse'),
];

describe('the report of npm run verify', () => {
  test('counts by group, and gives the reasons for each rule that did not hold, and the rules for each reason', () => {
    expect(`${report(ALL)}\n`).toBe(`\
       held  did not hold  not judged
ids       1             2           -
races     -             -           3
total     1             2           3

Did not hold
  ids: one
    status 500
    no nosniff
  ids: two
    status 201

Not judged
  no token; no time
    three
    four
  in use
    five
`);
  });

  const STOPPED = 'the service stopped responding';
  test.each<[string, Result[], verdict: string]>([
    ['no violation', [held], 'conforms to the contract: 1 rules held, 0 did not hold, 0'],
    ['a violation', ALL, 'violates the contract: 1 rules held, 2 did not hold, 3'],
    [
      'its end',
      [broken('a'), open('b', STOPPED, 'x')],
      'stopped responding: 0 rules held, 1 did not hold, 1',
    ],
    [
      'another reason',
      [open('b', 'x', STOPPED)],
      'conforms to the contract: 0 rules held, 0 did not hold, 1',
    ],
  ])('its verdict after %s', (_, results, verdict) => {
    expect(verdictOf(summaryOf(results), 'URL')).toBe(`URL ${verdict} not judged.`);
  });

  test('has the title of the violations in red, and no other line', () => {
    const found = [...report(ALL).matchAll(new RegExp(COLORS.red ?? '', 'gm'))];
    expect(found.map(([text]) => text)).toEqual(['Did not hold']);
  });
});

describe('the ids of npm run verify', () => {
  test('are reserved: 2^40 from -2^62 on, as the README says', () => {
    expect(VERIFY_IDS).toEqual({ first: -4611686018427387904n, last: -4611684918915760129n });
  });

  test('that are random are anywhere in the upper half of them', () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(ids.filter((id) => id > -4611684918915760129n || id <= -4611685468671574017n)).toEqual([]);
  });

  const aCase = { group: 'any', name: 'any', method: 'POST', headers: [], given: [], only: undefined };
  const refusal = { status: 400, error: 40002 } as const;

  test('of the cases of the contract begin 2^20 after the first', () => {
    const body = Buffer.from('{"id":1000,"name":"Fern"}');
    const { moved } = movedRefusal({ ...aCase, path: '/plants', body, expected: refusal });
    expect(String(moved.body)).toBe('{"id":-4611686018426338328,"name":"Fern"}');
  });

  test('are not those with digits of another script', () => {
    const path = '/plants?id=-4611686018427387904\u0663';
    expect(movedRefusal({ ...aCase, path, body: undefined, expected: refusal }).isSafe).toBe(false);
  });
});
