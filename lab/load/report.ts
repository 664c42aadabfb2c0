import { table } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { print } from '../../terminal/print.ts';
import { progressBar } from '../../terminal/progress.ts';
import { requireService } from '../../tools/verify/first-response.ts';
import { RunningService } from '../../tools/verify/running-service.ts';
import { type Load, type LoadReport, newPlants, runLoad } from './send.ts';

const PERCENTILES = { p50: 0.5, p90: 0.9, p99: 0.99, 'p99.9': 0.999, max: 1 };

/**
 * Creates plants at a steady rate, and prints the responses and their latency.
 * @param connections the most; other requests wait for one, and the wait is part of their latency, as for a client
 * @throws PlainError if the service does not accept a plant, or some plants were not created
 */
export async function load(
  { url, token }: { url: string; token: string },
  { rate, seconds }: Load,
  connections: number,
): Promise<void> {
  const plants = newPlants();
  const service = new RunningService(url, token, { connections });
  try {
    // The load sends this plant again; a repeat gets 200 too.
    await requireService(service, plants(0));
    print(`Sending ${rate * seconds} plants to ${url}, ${rate} per second`);
    const progress = progressBar(rate * seconds);
    const report = await runLoad(service, plants, { rate, seconds }, (sent, responses) =>
      progress(sent, `${responses} responses`),
    );
    progress();
    print(table(rowsOf(report), 'rr'));
    const problems = problemsOf(report);
    if (problems.length > 0) throw new PlainError(problems.join(' '));
  } finally {
    service.close();
  }
}

function problemsOf({ numbers, wrong, unanswered }: LoadReport): string[] {
  const others = [...numbers].filter(([number]) => number !== 200).sort(([a], [b]) => a - b);
  const responses = others.map(([number, count]) => `${responseOf(number)}: ${count}`);
  const causes = [...unanswered].map(([cause, count]) => `${cause}: ${count}`);
  return [
    ...(responses.length > 0 ? [`Some plants were not created (${responses.join(', ')}).`] : []),
    ...(wrong > 0 ? [`Some responses break the contract (${wrong}); npm run verify says how.`] : []),
    ...(causes.length > 0 ? [`Some requests got no response (${causes.join(', ')}).`] : []),
  ];
}

function rowsOf({ sent, numbers, wrong, unanswered, times }: LoadReport): string[][] {
  const sorted = [...times].sort((a, b) => a - b);
  const time = (share: number) => (sorted.length ? `${percentile(sorted, share).toFixed(1)} ms` : '-');
  return [
    ['sent', String(sent)],
    ...[...numbers].sort(([a], [b]) => a - b).map(([number, count]) => [responseOf(number), String(count)]),
    ['wrong', String(wrong)],
    ['no response', String([...unanswered.values()].reduce((sum, count) => sum + count, 0))],
    ...Object.entries(PERCENTILES).map(([name, share]) => [`latency ${name}`, time(share)]),
  ];
}

/** @param number 200, an error number of the contract, or another status */
function responseOf(number: number): string {
  return number >= 40000 ? `error ${number}` : `returned ${number}`;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
