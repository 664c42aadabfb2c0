/** `npm run load`: creates plants at a steady rate, and reports the answers and their latency. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { PlainError } from '../local/plain-error.ts';
import { readToken, TOKEN_NOTES, TOKEN_OPTION } from './access-token-input.ts';
import { runCommand, table, wholeNumber } from './command-line.ts';
import { type LoadReport, newPlants, runLoad } from './load-run.ts';
import { startOwnServer } from './own-server.ts';
import { plotSvg, type Series } from './plot.ts';
import { progressBar } from './progress.ts';
import { readBaseUrl, requireService } from './verify/first-answer.ts';
import { Service } from './verify/service.ts';

/** Enough for a measurement, but not expensive, and unlike an attack. */
const MOST = { rate: 2_000, seconds: 600 };
/** Other requests wait for a connection; the wait is part of their latency, as for a client. */
const CONNECTIONS = 50;
const PERCENTILES = { p50: 0.5, p90: 0.9, p99: 0.99, 'p99.9': 0.999, max: 1 };

await runCommand(
  {
    usage: 'npm run load -- [--url BASE_URL] [--rate N] [--seconds N] [--plot FILE]',
    about: 'Creates plants at a steady rate, and shows the answers and their latency.',
    options: {
      url: {
        value: 'BASE_URL',
        about: 'a running service, which keeps the plants (default: a new one in memory)',
      },
      rate: { value: 'N', about: `requests per second, at most ${MOST.rate}`, default: '200' },
      seconds: { value: 'N', about: `duration in seconds, at most ${MOST.seconds}`, default: '10' },
      plot: { value: 'FILE', about: 'file for a plot of the latency of each second', default: 'load.svg' },
      token: TOKEN_OPTION,
    },
    notes: `${TOKEN_NOTES}
It is needed only with --url.

Exit codes: 0 if every request was answered, 1 if some were not or the service cannot be reached, 2 if the command is
invalid.`,
  },
  async (values) => {
    const rate = wholeNumber('rate', values.rate, 1, MOST.rate);
    const seconds = wholeNumber('seconds', values.seconds, 1, MOST.seconds);
    const given =
      values.url === undefined ? undefined : { url: readBaseUrl(values.url), token: await readToken() };
    const own = given ? undefined : await startOwnServer();
    const { url, token } = (given ?? own) as { url: string; token: string };
    const service = new Service(url, token, { connections: CONNECTIONS });
    try {
      await load(service, rate, seconds, values.plot);
    } finally {
      service.close();
      own?.process.kill();
    }
  },
);

async function load(service: Service, rate: number, seconds: number, plot: string): Promise<void> {
  const plants = newPlants();
  // The first plant of the load, which sends it again; a repeat gets 200 too.
  await requireService(service, plants.body(0));
  requireWritable(plot);
  console.info(`${rate * seconds} plants to ${service.baseUrl}, ${rate} a second`);
  const progress = progressBar(rate * seconds);
  const report = await runLoad(service, plants, { rate, seconds }, (sent, answered) =>
    progress(sent, `${answered} answered`),
  );
  progress();
  writeFileSync(plot, plotSvg({ title: 'Latency', x: 'seconds', y: 'ms' }, latencies(report)));
  console.info(`${table(rowsOf(report), 'rr')}\n\nLatency of each second: ${plot}`);
  const causes = [...report.unanswered].map(([cause, count]) => `${cause}: ${count}`);
  if (causes.length > 0) throw new PlainError(`Some requests got no answer (${causes.join(', ')}).`);
}

/** Checks before the load that the file can be written. @throws PlainError if not */
function requireWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new PlainError(`${file} cannot be written to (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function rowsOf({ sent, numbers, unanswered, bySecond }: LoadReport): string[][] {
  const sorted = bySecond.flat().sort((a, b) => a - b);
  const time = (share: number) => (sorted.length ? `${percentile(sorted, share).toFixed(1)} ms` : '-');
  return [
    ['sent', String(sent)],
    ...[...numbers].sort(([a], [b]) => a - b).map(([number, count]) => [String(number), String(count)]),
    ['no answer', String([...unanswered.values()].reduce((sum, count) => sum + count, 0))],
    ...Object.entries(PERCENTILES).map(([name, share]) => [name, time(share)]),
  ];
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function latencies({ bySecond }: LoadReport): Series[] {
  const seconds = bySecond.map((times) => [...times].sort((a, b) => a - b));
  return (['p50', 'p99', 'max'] as const).map((name) => ({
    name,
    points: seconds.map((sorted, second) => [second + 1, percentile(sorted, PERCENTILES[name])] as const),
  }));
}
