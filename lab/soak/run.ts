/** `npm run lab -- soak`: kills the local service repeatedly under load, and counts lost plants. */
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { impossibleIds } from '../histories/model.ts';
import { mulberry32 } from '../histories/random.ts';
import { Writers } from './writers.ts';

/** In milliseconds: the minimum time before a kill, and the maximum random time that is added. */
const LIFE = { least: 200, more: 1_300 };

await runCommand(
  {
    usage: 'npm run lab -- soak [--kills N] [--seed N]',
    about: 'Kills the local service repeatedly under load, and counts lost plants.',
    options: {
      kills: { value: 'N', about: 'number of kills, at most 500', default: '25' },
      seed: { value: 'N', about: 'repeats the same plants and the same moments of kills' },
    },
  },
  async ({ kills, seed }) => {
    const random = String(Math.floor(Math.random() * 2 ** 31));
    await soak(wholeNumber('kills', kills, 1, 500), wholeNumber('seed', seed ?? random, 0, 2 ** 31));
  },
);

async function soak(kills: number, seed: number): Promise<void> {
  console.info(`${kills} kills, seed ${seed}`);
  const data = temporaryFolder();
  const random = mulberry32(seed);
  const writers = new Writers(mulberry32(seed + 1));
  for (let kill = 0; kill <= kills; kill += 1) {
    const service = await startLocalProcess(data);
    // Before any writer can restore a lost plant by a retry.
    await writers.audit(service.client);
    const { acknowledged, found } = writers;
    if (kill > 0)
      console.info(`kill ${kill}: ${acknowledged.length} acknowledged, ${found.lost} missing or altered`);
    writers.service = service;
    if (kill < kills) {
      await pause(LIFE.least + random() * LIFE.more);
    } else {
      await writers.stop();
      await writers.audit(service.client);
    }
    writers.service = undefined;
    await service.end('SIGKILL');
  }
  report(kills, writers);
}

function report(kills: number, writers: Writers): void {
  const { lost, unacknowledged } = writers.found;
  const impossible = impossibleIds(writers.log);
  const rows = {
    kills,
    requests: writers.requests,
    'responses lost': writers.lost,
    acknowledged: writers.acknowledged.length,
    'found, though the response was lost': unacknowledged,
    'missing or altered': lost,
    'wrong responses': writers.wrong.length,
    'ids whose history the model does not allow': impossible.length,
  };
  for (const [name, count] of Object.entries(rows)) console.info(`${String(count).padStart(8)}  ${name}`);
  for (const sentence of writers.wrong.slice(0, 5)) console.error(sentence);
  for (const id of impossible.slice(0, 5))
    console.error(`No order of the requests explains the responses about id ${id}.`);
  if (impossible.length + lost + writers.wrong.length > 0)
    throw new PlainError('The store and the acknowledgements differ.');
}
