import { table } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { print } from '../../terminal/print.ts';
import { subjectInMemory } from '../../test/fuzz/subject.ts';
import { sharing } from '../../test/security/refused-tokens.ts';
import { plantEvent } from '../../test/support/test-service.ts';

/** How many leading characters of the secret are right, out of 43. */
const RIGHT = [0, 7, 14, 21, 28, 35, 42];
/** More standard deviations than this are significant; by chance that happens once in 15,000 runs. */
const NOISE = 4;

interface Sample {
  readonly right: number;
  readonly us: number;
}

/**
 * Refuses tokens of all kinds, in a new order each round, and prints the quartiles of the times. The store is in memory: a
 * slower one would only add noise.
 * @param rounds refusals of each kind
 * @throws PlainError if the time depends on how much of the token is right
 */
export async function measureRefusals(rounds: number): Promise<void> {
  const { token, handler } = subjectInMemory();
  const samples: Sample[] = [];
  for (let round = -50; round < rounds; round += 1) {
    for (const right of shuffled(RIGHT)) {
      const event = plantEvent(sharing(token, right), '{"id":1,"name":"Fern"}');
      const startedAt = performance.now();
      await handler(event);
      if (round >= 0) samples.push({ right, us: (performance.now() - startedAt) * 1000 });
    }
  }
  samples.sort((a, b) => a.us - b.us);
  const rows = RIGHT.map((right) => {
    const times = samples.filter((sample) => sample.right === right);
    const quartile = (n: number) => Math.round(times[Math.floor((rounds * n) / 4)]?.us ?? 0);
    return [right, ...[1, 2, 3].map(quartile)];
  });
  const head = ['right of 43', 'p25 µs', 'p50 µs', 'p75 µs'];
  const z = rankCorrelation(samples) * Math.sqrt(samples.length - 1);
  print(`Time to refuse, ${rounds} tokens of each kind
${table([head, ...rows.map((row) => row.map(String))], 'rrrr')}
Rank correlation: ${z.toFixed(2)} standard deviations from none (significant beyond ${NOISE})
`);
  if (Math.abs(z) > NOISE)
    throw new PlainError('The time to refuse depends on how much of the token is right.');
}

function shuffled(values: readonly number[]): number[] {
  const keyed = values.map((value) => ({ value, at: Math.random() }));
  return keyed.sort((a, b) => a.at - b.at).map(({ value }) => value);
}

/**
 * Spearman's, which a few slow samples hardly affect. The numbers of right characters are equidistant and equally frequent,
 * so they need no ranks.
 * @param sorted by time
 */
function rankCorrelation(sorted: readonly Sample[]): number {
  const middle = (sorted.length - 1) / 2;
  const mean = RIGHT.reduce((sum, right) => sum + right, 0) / RIGHT.length;
  const both = sorted.reduce((sum, { right }, rank) => sum + (rank - middle) * (right - mean), 0);
  const ranks = sorted.reduce((sum, _, rank) => sum + (rank - middle) ** 2, 0);
  const rights = sorted.reduce((sum, { right }) => sum + (right - mean) ** 2, 0);
  return both / Math.sqrt(ranks * rights);
}
