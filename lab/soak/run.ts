/** `npm run lab -- soak`: kills the local service repeatedly under load, and counts lost plants. */
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { Writers } from './writers.ts';

/** In milliseconds: the minimum time before a kill, and the maximum random time that is added. */
const LIFE = { least: 200, more: 1_300 };

await runCommand(
  {
    usage: 'npm run lab -- soak [--kills N]',
    about: 'Kills the local service repeatedly under load, and counts lost plants.',
    options: {
      kills: { value: 'N', about: 'number of kills, at most 500', default: '25' },
    },
  },
  async ({ kills }) => soak(wholeNumber('kills', kills, 1, 500)),
);

async function soak(kills: number): Promise<void> {
  const data = temporaryFolder();
  const writers = new Writers();
  for (let kill = 0; kill <= kills; kill += 1) {
    const service = await startLocalProcess(data);
    // Before any writer can restore a lost plant by a retry.
    await writers.audit(service.client);
    const { acknowledged, found } = writers;
    if (kill > 0)
      console.info(`kill ${kill}: ${acknowledged.length} acknowledged, ${found.lost} missing or altered`);
    writers.service = service;
    if (kill < kills) {
      await pause(LIFE.least + Math.random() * LIFE.more);
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
  const rows = {
    kills,
    requests: writers.requests,
    'responses lost': writers.lost,
    acknowledged: writers.acknowledged.length,
    'found, though the response was lost': unacknowledged,
    'missing or altered': lost,
    'wrong responses': writers.wrong.length,
  };
  for (const [name, count] of Object.entries(rows)) console.info(`${String(count).padStart(8)}  ${name}`);
  for (const sentence of writers.wrong.slice(0, 5)) console.error(sentence);
  if (lost + writers.wrong.length > 0) throw new PlainError('The store and the acknowledgements differ.');
}
