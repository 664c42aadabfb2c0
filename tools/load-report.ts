import { closeSync, openSync, writeFileSync } from 'node:fs';
import { PlainError } from '../infra/plain-error.ts';
import { print } from '../infra/terminal.ts';
import { table } from './command-line.ts';
import { onFile } from './file-error.ts';
import { type Load, type LoadReport, newPlants, runLoad } from './load-run.ts';
import { plotSvg, type Series } from './plot.ts';
import { progressBar } from './progress.ts';
import { requireService } from './verify/first-answer.ts';
import { Service } from './verify/service.ts';

/** Throttled, or the service had no capacity in time: the errors with which a service answers more than it can do. */
const OVERLOAD = [42901, 50301, 50401];
const PERCENTILES = { p50: 0.5, p90: 0.9, p99: 0.99, 'p99.9': 0.999, max: 1 };

/** How to load a service. */
export interface LoadOptions extends Load {
  /** The most connections; other requests wait for one, and the wait is part of their latency, as for a client. */
  readonly connections: number;
  /** The SVG file to draw. */
  readonly plot: string;
  /** Whether the load is meant to exceed a limit of the service. */
  readonly allowOverload: boolean;
}

/**
 * Creates plants at a steady rate, prints the answers and their latency, and draws the latency of each second.
 * @throws PlainError if the service does not accept a plant, the file cannot be written, or some plants were not created
 */
export async function load(
  { url, token }: { url: string; token: string },
  { rate, seconds, connections, plot, allowOverload }: LoadOptions,
): Promise<void> {
  const plants = newPlants();
  const service = new Service(url, token, { connections });
  try {
    // The load sends this plant again; a repeat gets 200 too.
    await requireService(service, plants(0));
    // Before the load, not after it.
    onFile(plot, 'written to', () => closeSync(openSync(plot, 'a')));
    print(`Sending ${rate * seconds} plants to ${url}, ${rate} per second`);
    const progress = progressBar(rate * seconds);
    const report = await runLoad(service, plants, { rate, seconds }, (sent, answered) =>
      progress(sent, `${answered} answered`),
    );
    progress();
    writeFileSync(plot, plotSvg({ title: 'Latency', x: 'seconds', y: 'ms' }, latencies(report)));
    print(`${table(rowsOf(report), 'rr')}\n\nLatency of each second: ${plot}`);
    const problems = problemsOf(report, allowOverload ? [200, ...OVERLOAD] : [200]);
    if (problems.length > 0) throw new PlainError(problems.join(' '));
  } finally {
    service.close();
  }
}

/** @param allowed the numbers of the answers that are no problem */
function problemsOf({ numbers, unreadable, unanswered }: LoadReport, allowed: readonly number[]): string[] {
  const other = [...numbers].filter(([number]) => !allowed.includes(number)).sort(([a], [b]) => a - b);
  const answers = other.map(([number, count]) => `${answerOf(number)}: ${count}`);
  const causes = [...unanswered].map(([cause, count]) => `${cause}: ${count}`);
  return [
    ...(answers.length > 0 ? [`Some plants were not created (${answers.join(', ')}).`] : []),
    ...(unreadable > 0
      ? [`Some answers did not come from a Plant Store (${unreadable}); check the address.`]
      : []),
    ...(causes.length > 0 ? [`Some requests got no answer (${causes.join(', ')}).`] : []),
  ];
}

function rowsOf({ sent, numbers, unreadable, unanswered, bySecond }: LoadReport): string[][] {
  const sorted = bySecond.flat().sort((a, b) => a - b);
  const time = (share: number) => (sorted.length ? `${percentile(sorted, share).toFixed(1)} ms` : '-');
  return [
    ['sent', String(sent)],
    ...[...numbers].sort(([a], [b]) => a - b).map(([number, count]) => [answerOf(number), String(count)]),
    ['unreadable', String(unreadable)],
    ['no answer', String([...unanswered.values()].reduce((sum, count) => sum + count, 0))],
    ...Object.entries(PERCENTILES).map(([name, share]) => [`latency ${name}`, time(share)]),
  ];
}

/** @param number 200, an error number of the contract, or another status */
function answerOf(number: number): string {
  return number >= 40000 ? `error ${number}` : `answered ${number}`;
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
