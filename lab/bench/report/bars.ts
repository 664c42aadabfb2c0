/** A column of bars: one value per row, in the order of the rows. */
export interface Bars {
  readonly title: string;
  readonly values: readonly number[];
  /** The number of digits after the decimal point. */
  readonly digits: number;
}

const WIDTH = 860;
const MARKED = { ' font-weight="bold"': '#009e73', '': '#718096' };

/**
 * Draws columns of horizontal bars next to the names of their rows.
 * @param rows the names; a marked row is highlighted
 */
export function barsSvg(
  title: string,
  rows: readonly { name: string; isMarked: boolean }[],
  columns: readonly Bars[],
): string {
  const [left, top, rowHeight] = [230, 72, 24];
  const width = (WIDTH - left) / columns.length;
  const parts = rows.flatMap(({ name, isMarked }, row) => {
    const weight = isMarked ? ' font-weight="bold"' : '';
    const y = top + row * rowHeight;
    const bars = columns.flatMap(({ values, digits }, column) => {
      const value = values[row] ?? 0;
      const length = Math.max(1, (value / Math.max(...values)) * (width - 56));
      const x = left + column * width;
      const number = text(x + length + 5, y + 14, value.toFixed(digits), 'start', weight);
      return [rectangle(x, y, length, rowHeight - 6, MARKED[weight]), number];
    });
    return [text(left - 12, y + 14, name, 'end', weight), ...bars];
  });
  const titles = columns.map((column, index) => text(left + index * width, top - 12, column.title, 'start'));
  return svg(title, top + rows.length * rowHeight + 8, [...titles, ...parts]);
}

function svg(title: string, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="sans-serif" font-size="13" fill="#1a202c">`,
    // For screen readers, and the browser's tooltip.
    `<title>${escaped(title)}</title>`,
    // A background, for pages in dark mode.
    rectangle(0, 0, WIDTH, height, '#fff'),
    text(16, 22, title, 'start', ' font-weight="bold"'),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function rectangle(x: number, y: number, width: number, height: number, colour: string): string {
  return `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="${height}" fill="${colour}"/>`;
}

function text(x: number, y: number, content: string, anchor: 'start' | 'end', more = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${more}>${escaped(content)}</text>`;
}

/** A text as the content of an SVG element. */
function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
