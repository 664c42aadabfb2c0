/** A line of a plot: its points, ordered by x. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A column of bars: one value per row, in the order of the rows. */
export interface Bars {
  readonly title: string;
  readonly values: readonly number[];
  /** The number of digits after the decimal point. */
  readonly digits: number;
}

const WIDTH = 860;
/** Colours that people with colour blindness can tell apart (Okabe and Ito). */
const COLOURS = ['#0072b2', '#e69f00', '#d55e00', '#009e73'];
const MARKED = { ' font-weight="bold"': '#009e73', '': '#718096' };

/**
 * Draws lines as a standalone SVG; both axes start at zero.
 * @param labels the title, and the name of each axis with its unit
 */
export function plotSvg(labels: { title: string; x: string; y: string }, series: readonly Series[]): string {
  const [left, right, top, bottom] = [64, WIDTH - 16, 56, 320];
  const points = series.flatMap(({ points: each }) => each);
  const mostX = Math.max(1, ...points.map(([x]) => x));
  const mostY = roundUp(Math.max(1e-9, ...points.map(([, y]) => y)));
  const x = (value: number) => left + (value / mostX) * (right - left);
  const y = (value: number) => bottom - (value / mostY) * (bottom - top);
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((step) => [
    `<path d="M${left} ${y(step * mostY).toFixed(1)}H${right}" stroke="#ddd"/>`,
    text(left - 8, y(step * mostY) + 4, short(step * mostY), 'end'),
    text(x(step * mostX), bottom + 18, short(step * mostX), 'middle'),
  ]);
  const lines = series.flatMap(({ name, points: each }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? '';
    const path = each.map(([px, py]) => `${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join('L');
    const key = left + index * 130;
    return [
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
      rectangle(key, 32, 10, 10, colour),
      text(key + 14, 41, name, 'start'),
    ];
  });
  const axes = [
    text((left + right) / 2, bottom + 36, labels.x, 'middle'),
    `<g transform="translate(16 ${(top + bottom) / 2}) rotate(-90)">${text(0, 0, labels.y, 'middle')}</g>`,
  ];
  return svg(labels.title, bottom + 44, [...grid, ...lines, ...axes]);
}

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

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end', more = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${more}>${escaped(content)}</text>`;
}

/** The next number of the form 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

function short(value: number): string {
  return value >= 10_000 ? `${Math.round(value / 100) / 10}k` : String(Math.round(value * 100) / 100);
}

/** A text as the content of an SVG element. */
function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
