import { STAGES } from '../infra/stages.ts';

/** A limit of docs/scaling.md: how many creates a second it lets through, and who can raise it. */
interface Limit {
  readonly name: string;
  readonly perSecond: number;
  readonly raisedBy: 'the stage file' | 'a quota request' | 'warming' | 'nobody';
}

/** From the tightest to the widest, as docs/scaling.md derives them. */
const LIMITS: readonly Limit[] = [
  { name: 'stage throttle, dev', perSecond: STAGES.dev.throttle.rate, raisedBy: 'the stage file' },
  { name: 'Lambda, new account', perSecond: 10 * 10, raisedBy: 'a quota request' },
  { name: 'stage throttle, prod', perSecond: STAGES.prod.throttle.rate, raisedBy: 'the stage file' },
  { name: 'one id, again and again', perSecond: 1_000, raisedBy: 'nobody' },
  { name: 'table, when new', perSecond: 4_000, raisedBy: 'warming' },
  { name: 'Lambda, 1,000 executions', perSecond: 1_000 * 10, raisedBy: 'a quota request' },
  { name: 'gateway, account', perSecond: 10_000, raisedBy: 'a quota request' },
  { name: 'table quota', perSecond: 40_000, raisedBy: 'a quota request' },
];

const COLOURS: Readonly<Record<Limit['raisedBy'], string>> = {
  'the stage file': '#2e7d32',
  'a quota request': '#1d5fa8',
  warming: '#9a6700',
  nobody: '#a8201a',
};

const LEFT = 190;
const WIDTH = 720;
const ROW = 28;
const TOP = 54;
const BOTTOM = TOP + LIMITS.length * ROW;
const DECADES = 5;

/** Where a rate stands on the logarithmic axis, in pixels. */
const across = (perSecond: number) =>
  Math.round(LEFT + (Math.log10(perSecond) / DECADES) * (WIDTH - LEFT - 60));
const number = (value: number) => value.toLocaleString('en-US');

/** Draws the limits as an SVG that can be read on a light and on a dark page. */
export function scalingPlot(): string {
  const text = (x: number, y: number, anchor: string, words: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
  const ticks = Array.from({ length: DECADES + 1 }, (_, power) => 10 ** power).flatMap((rate) => [
    `<path d="M${across(rate)} ${TOP - 6}V${BOTTOM}" stroke="#d0d7de"/>`,
    text(across(rate), TOP - 12, 'middle', number(rate)),
  ]);
  const rows = LIMITS.flatMap(({ name, perSecond, raisedBy }, index) => {
    const y = TOP + index * ROW;
    return [
      text(LEFT - 8, y + 16, 'end', name),
      `<rect x="${LEFT}" y="${y + 4}" width="${across(perSecond) - LEFT}" height="${ROW - 10}" fill="${COLOURS[raisedBy]}"/>`,
      text(across(perSecond) + 6, y + 16, 'start', number(perSecond)),
    ];
  });
  const legend = Object.entries(COLOURS).flatMap(([raisedBy, colour], index) => [
    `<rect x="${LEFT + index * 128}" y="${BOTTOM + 18}" width="12" height="12" fill="${colour}"/>`,
    text(LEFT + 18 + index * 128, BOTTOM + 29, 'start', raisedBy),
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${BOTTOM + 44}" font-family="sans-serif" font-size="13" fill="#1f2933">`,
    '<title>What each part lets through, in creates a second</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    text(LEFT, 20, 'start', 'creates a second (logarithmic); the colour says who can raise it'),
    ...ticks,
    ...rows,
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(scalingPlot());
