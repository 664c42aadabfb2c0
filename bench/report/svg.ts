import type { Measured } from '../measure.ts';
import { medianOf } from './gates.ts';

const WIDTH = 860;
const LABEL = 230;
const ROW = 24;
const HEAD = 64;

const COLOURS: Record<Measured['subject']['group'], string> = {
  ours: '#2f855a',
  floor: '#cbd5e0',
  lite: '#a0aec0',
  sdk: '#718096',
  framework: '#4a5568',
};

/** What a panel of bars shows. */
interface Panel {
  readonly title: string;
  readonly value: (measured: Measured) => number;
  readonly digits: number;
}

const PANELS: readonly Panel[] = [
  { title: 'cold start, CPU ms', value: ({ coldCpu }) => medianOf(coldCpu), digits: 0 },
  { title: 'warm request, CPU ms', value: ({ warmCpu }) => medianOf(warmCpu), digits: 2 },
  { title: 'peak memory, MB', value: ({ peak }) => medianOf(peak), digits: 0 },
];

/**
 * Draws the figures as bars, shorter is better, the quickest start on top.
 * @param note one line below the title that says what was measured where
 */
export function chart(all: readonly Measured[], note: string): string {
  const rows = [...all].sort((a, b) => medianOf(a.coldCpu) - medianOf(b.coldCpu));
  const height = HEAD + rows.length * ROW + 8;
  const space = (WIDTH - LABEL) / PANELS.length;
  const labels = rows.map((row, line) =>
    text(LABEL - 12, HEAD + line * ROW + 15, row.subject.name, weightOf(row), 'end'),
  );
  const panels = PANELS.map((panel, column) => bars(rows, panel, LABEL + column * space, space - 56));
  const style = 'font:13px system-ui,sans-serif';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" style="${style}">`,
    `<title>${escapeXml(`Cost of creating a plant, by framework. ${note}`)}</title>`,
    // A ground of its own, for pages in dark colours.
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff"/>`,
    text(12, 24, note, 'normal', 'start'),
    ...labels,
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function bars(
  rows: readonly Measured[],
  { title, value, digits }: Panel,
  left: number,
  space: number,
): string {
  const largest = Math.max(...rows.map(value));
  const lines = rows.map((row, line) => {
    const length = Math.max(1, (value(row) / largest) * space);
    const top = HEAD + line * ROW;
    const bar = `<rect x="${left}" y="${top}" width="${length.toFixed(1)}" height="${ROW - 6}" rx="2" fill="${COLOURS[row.subject.group]}"/>`;
    return bar + text(left + length + 5, top + 14, value(row).toFixed(digits), weightOf(row), 'start');
  });
  return [text(left, HEAD - 12, title, 'bold', 'start'), ...lines].join('\n');
}

function weightOf({ subject }: Measured): 'bold' | 'normal' {
  return subject.group === 'ours' ? 'bold' : 'normal';
}

function text(x: number, y: number, content: string, weight: string, anchor: string): string {
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"`;
  return `<text ${place} font-weight="${weight}" fill="#1a202c">${escapeXml(content)}</text>`;
}

function escapeXml(content: string): string {
  return content.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
