/** A difference whose hunks are found by their text, wherever they stand. */

export interface Hunk {
  readonly file: string;
  /** The line of the difference that begins it. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export function hunksOf(difference: string): Hunk[] {
  const hunks: { file: string; line: number; before: string[]; after: string[] }[] = [];
  let file = '';
  const lines = difference.replace(/\n$/, '').split('\n');
  for (const [n, line] of lines.entries()) {
    const hunk = hunks.at(-1);
    if (line.startsWith('--- ') || line.startsWith('diff ') || line.startsWith('index ')) continue;
    if (line.startsWith('+++ ')) file = line.slice(4).replace(/^b\//, '');
    else if (line.startsWith('@@')) hunks.push({ file, line: n + 1, before: [], after: [] });
    else {
      if (!line.startsWith('+')) hunk?.before.push(line.slice(1));
      if (!line.startsWith('-')) hunk?.after.push(line.slice(1));
    }
  }
  return hunks.map(({ before, after, ...rest }) => ({
    ...rest,
    before: `${before.join('\n')}\n`,
    after: `${after.join('\n')}\n`,
  }));
}

/** @returns undefined unless the text has the lines of the hunk exactly once */
export function withHunk(text: string, { before, after }: Hunk): string | undefined {
  const [start, end, more] = `\n${text}`.split(`\n${before}`);
  return start === undefined || end === undefined || more !== undefined
    ? undefined
    : `${start}\n${after}${end}`.slice(1);
}
