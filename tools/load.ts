/** `npm run load`: creates plants at a steady rate, and says how that went. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PlainError } from '../local/plain-error.ts';
import { reportErrors } from './command-line.ts';
import { type LoadReport, runLoad } from './load-run.ts';
import { startOwnServer } from './own-server.ts';
import { plotSvg, type Series } from './plot.ts';

const USAGE = `npm run load -- [--rate N] [--seconds N] [--plot FILE]     against a local service of its own, in memory
npm run load -- --url URL --token TOKEN [...]              against a service that runs (it keeps the plants!)
The token may stand in PLANT_STORE_TOKEN instead. Defaults: --rate 200 --seconds 10 --plot load.svg`;

/** Enough to see something, too little to be taken for an attack or to make a bill. */
const MOST = { rate: 2_000, seconds: 600 };

await reportErrors(async () => {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '10' },
      plot: { type: 'string', default: 'load.svg' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.info(USAGE);
  const rate = readNumber('rate', values.rate);
  const seconds = readNumber('seconds', values.seconds);
  const token = values.token ?? process.env.PLANT_STORE_TOKEN;
  if (values.url !== undefined && !token) throw new PlainError(`--url needs --token.\n${USAGE}`);
  const own = values.url === undefined ? await startOwnServer() : undefined;
  const target = { url: values.url ?? own?.url ?? '', token: own?.token ?? token ?? '' };
  console.info(`${rate * seconds} plants to ${target.url}, ${rate} a second`);
  try {
    const report = await runLoad({ ...target, rate, seconds }, showProgress);
    writeFileSync(values.plot, plotSvg({ title: 'Latency', x: 'seconds', y: 'ms' }, latencies(report)));
    printReport(report);
    console.info(`\nLatency by the second: ${values.plot}`);
  } finally {
    own?.process.kill();
  }
});

function readNumber(name: keyof typeof MOST, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MOST[name])
    throw new PlainError(`--${name} must be a whole number from 1 to ${MOST[name]}.`);
  return value;
}

let shown = -1;

/** A bar that fills; nothing where the output is not a terminal, whose log it would fill instead. */
function showProgress(share: number, answered: number): void {
  const percent = Math.round(share * 100);
  if (!process.stderr.isTTY || percent === shown) return;
  shown = percent;
  const bar = '█'.repeat(Math.round(share * 40)).padEnd(40, '·');
  process.stderr.write(
    `\r${bar} ${String(percent).padStart(3)} %  ${answered} answered${share < 1 ? '' : '\n'}`,
  );
}

function printReport({ sent, numbers, unanswered, bySecond }: LoadReport): void {
  const sorted = bySecond.flat().sort((a, b) => a - b);
  const rows: [string, string][] = [
    ['sent', String(sent)],
    ...[...numbers]
      .sort(([a], [b]) => a - b)
      .map(([number, count]): [string, string] => [String(number), String(count)]),
    ['no answer', String(unanswered)],
    ...[0.5, 0.9, 0.99, 0.999, 1].map((share): [string, string] => [
      share === 1 ? 'max' : `p${Math.round(share * 1000) / 10}`,
      `${percentile(sorted, share).toFixed(1)} ms`,
    ]),
  ];
  for (const [name, value] of rows) console.info(`${name.padStart(10)}  ${value.padStart(10)}`);
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function latencies({ bySecond }: LoadReport): Series[] {
  const seconds = bySecond.map((times) => [...times].sort((a, b) => a - b));
  const at = (share: number) =>
    seconds.map((sorted, second): [number, number] => [second + 1, percentile(sorted, share)]);
  return [
    { name: 'p50', points: at(0.5) },
    { name: 'p99', points: at(0.99) },
    { name: 'max', points: at(1) },
  ];
}
