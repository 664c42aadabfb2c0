import { expect, test } from 'vitest';
import { judgeWhenReady } from './late-case.ts';

const LATE = 'a page has the plants with a value by id, and the token of the next page';

/** Judges a case that does not hold so many times. @returns how often it was judged, and how many violations remain */
async function judged(name: string, failures: number) {
  let count = 0;
  const judge = async () => {
    count += 1;
    return count > failures ? [] : [{ sentence: 'the index is late' }];
  };
  const violations = await judgeWhenReady(name, judge, 1);
  return [count, violations.length];
}

test('only the case that reads a new plant in an index is judged again, until it holds, and at most ten times', async () => {
  expect(await judged(LATE, 0)).toEqual([1, 0]);
  expect(await judged(LATE, 2)).toEqual([3, 0]);
  expect(await judged(LATE, 99)).toEqual([11, 1]);
  expect(await judged('another', 2)).toEqual([1, 1]);
});
