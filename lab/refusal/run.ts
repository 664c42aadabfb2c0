/** `npm run lab -- refusal`: measures whether the time to refuse a token depends on how much of it is right. */

import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { subjectInMemory } from '../../test/fuzz/subject.ts';
import { sharing } from '../../test/security/refused-tokens.ts';
import { plantEvent, startTestService } from '../../test/support/test-service.ts';

/** How many leading characters of the secret are right, out of 43. */
const RIGHT = [0, 7, 14, 21, 28, 35, 42];
/** More standard deviations than this are significant; by chance that happens once in 15,000 runs. */
const NOISE = 4;

interface Sample {
  readonly right: number;
  readonly us: number;
}

type Send = (token: string) => Promise<unknown>;

await runCommand(
  {
    usage: 'npm run lab -- refusal [--rounds N]',
    about: 'Measures whether the time to refuse a token depends on how much of it is right.',
    options: { rounds: { value: 'N', about: 'refusals of each kind, 100 to 100000', default: '3000' } },
  },
  async ({ rounds }) => measureBoth(wholeNumber('rounds', rounds, 100, 100_000)),
);

async function measureBoth(rounds: number): Promise<void> {
  const memory = subjectInMemory();
  const service = await startTestService();
  const post = (token: string) => plantEvent(token, '{"id":1,"name":"Fern"}');
  const inMemory = await measure('in memory', memory.token, (token) => memory.handler(post(token)), rounds);
  const real = await measure(
    'over a real store',
    service.token,
    (token) => service.handler(post(token)),
    Math.ceil(rounds / 3),
  );
  await service.close();
  if (inMemory > NOISE || real > NOISE)
    throw new PlainError('The time to refuse depends on how much of the token is right.');
}

/** Refuses tokens of all kinds, in a new order each round. @returns the rank correlation in standard deviations */
async function measure(where: string, token: string, send: Send, rounds: number): Promise<number> {
  const samples: Sample[] = [];
  for (let round = -50; round < rounds; round += 1) {
    for (const right of shuffled(RIGHT)) {
      const near = sharing(token, right);
      const startedAt = performance.now();
      await send(near);
      if (round >= 0) samples.push({ right, us: (performance.now() - startedAt) * 1000 });
    }
  }
  samples.sort((a, b) => a.us - b.us);
  console.info(`\nTime to refuse, ${where}, ${rounds} tokens of each kind`);
  console.info('right of 43   p25 µs   p50 µs   p75 µs');
  for (const right of RIGHT) {
    const times = samples.filter((sample) => sample.right === right);
    const quartiles = [0.25, 0.5, 0.75].map((share) =>
      Math.round(times[Math.floor(rounds * share)]?.us ?? 0),
    );
    console.info([`${right}`.padStart(11), ...quartiles.map((us) => `${us}`.padStart(9))].join(''));
  }
  const z = rankCorrelation(samples) * Math.sqrt(samples.length - 1);
  console.info(
    `Rank correlation: ${z.toFixed(2)} standard deviations from none (significant beyond ${NOISE})`,
  );
  return Math.abs(z);
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
