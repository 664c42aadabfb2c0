/** `npm run lab -- growth`: whether the CPU time of a request grows faster than its body. */
import { createPlant } from '../../lambda/create-plant.ts';
import { makeHandler } from '../../lambda/envelope.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { runCommand, table } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { plantEvent } from '../../test/support/test-service.ts';
import { BODY_KINDS, bodyOf } from './bodies.ts';

/** Times as large, in bytes: CPU time that is proportional to the size has this factor too, a square of it 4,096. */
const FACTOR = 64;
/** The most by which the CPU time may grow with that factor; caches, garbage collection and other load add some. */
const MOST = 2 * FACTOR;
/** The fastest round counts, because other load on the machine only adds time. */
const ROUNDS = 7;

const TOKEN = formatToken(Buffer.alloc(32, 1));
const operation = createPlant({
  accessTokens: { find: async () => 'growth' },
  plants: { create: async () => 'created' },
});
const handler = makeHandler(operation, { writeLog: () => undefined });

await runCommand(
  {
    usage: 'npm run lab -- growth',
    about: `Measures the CPU time of a request with each kind of body. Fails if one of ${FACTOR} times the size takes more than
${MOST} times as long.`,
    options: {},
  },
  measure,
);

async function measure(): Promise<void> {
  const found: { kind: string; ms: number; growth: number }[] = [];
  for (const kind of BODY_KINDS) {
    const small = await cpuOf(bodyOf(kind, MAX_BODY_BYTES / FACTOR), FACTOR);
    const ms = await cpuOf(bodyOf(kind, MAX_BODY_BYTES), 2);
    found.push({ kind, ms, growth: ms / small });
  }
  const rows = found
    .sort((a, b) => b.ms - a.ms)
    .map(({ kind, ms, growth }) => [kind, `${ms.toFixed(1)} ms at 1 MiB`, `${growth.toFixed(1)} times`]);
  console.info(table([...rows, ['', '', `as a body of 1/${FACTOR} MiB`]], 'lrr'));
  const worse = found.filter(({ growth }) => growth > MOST).map(({ kind }) => kind);
  if (worse.length > 0) throw new PlainError(`The CPU time grows faster than the body: ${worse.join('; ')}.`);
}

/** The CPU time of one request in the fastest round. @returns milliseconds */
async function cpuOf(body: string, repeats: number): Promise<number> {
  const event = plantEvent(TOKEN, body);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    for (let done = 0; done < repeats; done += 1) await handler(event, {});
    const { user, system } = process.cpuUsage(start);
    rounds.push((user + system) / 1000 / repeats);
  }
  return Math.min(...rounds);
}
