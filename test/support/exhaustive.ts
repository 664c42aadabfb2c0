import { isThere } from './needs.ts';

/** Whether every case runs, as in `.ci/run`; otherwise the end of the run says what was left out. @param rest names it */
export function isExhaustive(rest: string): boolean {
  const why = 'only `EXHAUSTIVE=1 npm test` runs all, as CI does.';
  return isThere(process.env.EXHAUSTIVE === '1', { tests: rest, why });
}

/** All cases, or every fifth. @param what names the cases */
export function someOf<T>(all: readonly T[], what: string): readonly T[] {
  const some = all.filter((_, n) => n % 5 === 0);
  return isExhaustive(`${all.length - some.length} of ${all.length} ${what}`) ? all : some;
}
