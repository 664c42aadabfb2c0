/** A figure that is wanted to be at most, or at least, a limit; NaN if it was not measured. */
export type Gate = readonly [title: string, measured: number, wanted: '<=' | '>=', limit: number];

/** The median, which one disturbed round does not change; NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}

/** The median of the ratios in each round: within a round, both were measured seconds apart, under the same load. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** Prints a table in Markdown, with numbers in all columns but the first. */
export function printTable([titles = [], ...rows]: readonly (readonly string[])[]): void {
  const rule = titles.map((_, column) => (column === 0 ? '---' : '--:'));
  for (const cells of [titles, rule, ...rows]) console.info(`| ${cells.join(' | ')} |`);
  console.info('');
}

/** Prints the gates but those that were not measured. @returns whether all are passed */
export function printGates(gates: readonly Gate[]): boolean {
  const rows = gates
    .filter(([, measured]) => !Number.isNaN(measured))
    .map(([title, measured, wanted, limit]) => {
      const passes = wanted === '<=' ? measured <= limit : measured >= limit;
      return [title, measured.toFixed(3), `${wanted} ${limit}`, passes ? 'pass' : 'FAIL'];
    });
  printTable([['our figure', 'measured', 'gate', ''], ...rows]);
  return rows.every(([, , , verdict]) => verdict === 'pass');
}
