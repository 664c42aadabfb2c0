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

/**
 * Refuses tokens of all kinds, forwards and backwards in turn, so that none has a better place.
 * @returns how often the last kind took longer than the first, in standard deviations from half of the rounds
 */
async function measure(where: string, token: string, send: Send, rounds: number): Promise<number> {
  const times: number[][] = RIGHT.map(() => []);
  for (let round = -50; round < rounds; round += 1) {
    const order = [...RIGHT.keys()];
    for (const kind of round % 2 === 0 ? order : order.reverse()) {
      const near = sharing(token, RIGHT[kind] ?? 0);
      const startedAt = performance.now();
      await send(near);
      if (round >= 0) times[kind]?.push((performance.now() - startedAt) * 1000);
    }
  }
  const longer = times.at(-1)?.filter((us, round) => us > (times[0]?.[round] ?? 0)).length ?? 0;
  const deviations = (longer - rounds / 2) / (Math.sqrt(rounds) / 2);
  console.info(`\nTime to refuse, ${where}, ${rounds} tokens of each kind`);
  console.info('right of 43   p25 µs   p50 µs   p75 µs');
  for (const [kind, right] of RIGHT.entries()) {
    const sorted = times[kind]?.sort((a, b) => a - b) ?? [];
    const quartiles = [0.25, 0.5, 0.75].map((share) => Math.round(sorted[Math.floor(rounds * share)] ?? 0));
    console.info([`${right}`.padStart(11), ...quartiles.map((us) => `${us}`.padStart(9))].join(''));
  }
  console.info(
    `${RIGHT.at(-1)} right took longer than ${RIGHT[0]} in ${longer} rounds: ${deviations.toFixed(2)} standard deviations from half (significant beyond ${NOISE})`,
  );
  return Math.abs(deviations);
}
