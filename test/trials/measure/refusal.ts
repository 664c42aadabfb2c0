/** `npm run measure:refusal`: measures whether the time to refuse a token depends on how much of it is right. */
import { PlainError } from '../../../local/plain-error.ts';
import { runCommand, wholeNumber } from '../../../tools/command-line.ts';
import { sharing } from '../../security/refused-tokens.ts';
import { plantEvent, startTestService } from '../../support/test-service.ts';
import { subjectInMemory } from '../fuzz/subject.ts';

/** How many leading characters of the secret are right, out of 43. */
const RIGHT = [0, 7, 14, 21, 28, 35, 42];
/** More standard deviations than this are significant; by chance that happens once in 15,000 runs. */
const NOISE = 4;

type Send = (token: string) => Promise<unknown>;

await runCommand(
  {
    usage: 'npm run measure:refusal -- [--rounds N]',
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
  const samples: { right: number; us: number }[] = [];
  for (let round = -50; round < rounds; round += 1) {
    for (const right of shuffled(RIGHT)) {
      const near = sharing(token, right);
      const startedAt = performance.now();
      await send(near);
      if (round >= 0) samples.push({ right, us: (performance.now() - startedAt) * 1000 });
    }
  }
  console.info(`\nTime to refuse, ${where}, ${rounds} tokens of each kind`);
  console.info('right of 43   p25 µs   p50 µs   p75 µs');
  for (const right of RIGHT) {
    const times = samples
      .filter((sample) => sample.right === right)
      .map(({ us }) => us)
      .sort((a, b) => a - b);
    const at = (share: number) =>
      String(Math.round(times[Math.floor(times.length * share)] ?? 0)).padStart(9);
    console.info(`${String(right).padStart(11)}${at(0.25)}${at(0.5)}${at(0.75)}`);
  }
  const z = rankCorrelation(samples) * Math.sqrt(samples.length - 1);
  console.info(
    `Rank correlation: ${z.toFixed(2)} standard deviations from none (significant beyond ${NOISE})`,
  );
  return Math.abs(z);
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

/** Spearman's, which a few slow samples hardly affect. */
function rankCorrelation(samples: readonly { right: number; us: number }[]): number {
  const times = ranks(samples.map(({ us }) => us));
  const rights = ranks(samples.map(({ right }) => right));
  const mean = (samples.length - 1) / 2;
  let both = 0;
  let time = 0;
  let right = 0;
  for (const [index, each] of times.entries()) {
    const other = (rights[index] ?? 0) - mean;
    both += (each - mean) * other;
    time += (each - mean) ** 2;
    right += other ** 2;
  }
  return both / Math.sqrt(time * right);
}

/** The rank of each value; equal values share their mean rank. */
function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const result = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1] ?? 0] === values[order[from] ?? 0]) to += 1;
    for (let at = from; at <= to; at += 1) result[order[at] ?? 0] = (from + to) / 2;
    from = to + 1;
  }
  return result;
}
