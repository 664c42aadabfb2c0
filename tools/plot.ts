/** A line of a plot: its points in the order of x. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 760;
const HEIGHT = 320;
const MARGIN = { left: 64, right: 16, top: 44, bottom: 44 };
/** Told apart by people who see colours differently too (Okabe and Ito). */
const COLOURS = ['#0072b2', '#e69f00', '#d55e00', '#009e73'];
const TICKS = 5;

/**
 * Draws lines as an SVG that stands alone; y starts at zero.
 * @param labels the title, and what each axis shows, with its unit
 */
export function plotSvg(labels: { title: string; x: string; y: string }, series: readonly Series[]): string {
  const points = series.flatMap(({ points: each }) => each);
  const mostX = Math.max(1, ...points.map(([x]) => x));
  const mostY = roundUp(Math.max(1e-9, ...points.map(([, y]) => y)));
  const x = (value: number) => MARGIN.left + (value / mostX) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number) =>
    HEIGHT - MARGIN.bottom - (value / mostY) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const steps = Array.from({ length: TICKS + 1 }, (_, step) => step / TICKS);
  const grid = steps.flatMap((step) => [
    `<path d="M${MARGIN.left} ${y(step * mostY).toFixed(1)}H${WIDTH - MARGIN.right}" stroke="#ddd"/>`,
    text(MARGIN.left - 8, y(step * mostY) + 4, short(step * mostY), 'end'),
    text(x(step * mostX), HEIGHT - MARGIN.bottom + 18, short(step * mostX), 'middle'),
  ]);
  const lines = series.flatMap(({ name, points: each }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = each.map(([px, py]) => `${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join('L');
    const legendX = MARGIN.left + index * 90;
    return [
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
      `<rect x="${legendX}" y="28" width="10" height="10" fill="${colour}"/>`,
      text(legendX + 14, 37, name, 'start'),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    // What a screen reader says, and a browser shows under the mouse.
    `<title>${escaped(labels.title)}: ${escaped(labels.y)} by ${escaped(labels.x)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="18" font-size="14">${escaped(labels.title)}</text>`,
    ...grid,
    ...lines,
    text(WIDTH / 2, HEIGHT - 8, labels.x, 'middle'),
    `<text transform="translate(14 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${escaped(labels.y)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

/** The next number of the form 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

function short(value: number): string {
  return value >= 10_000 ? `${Math.round(value / 100) / 10}k` : String(Math.round(value * 100) / 100);
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
