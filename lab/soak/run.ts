/** `npm run lab -- soak`: kills the local service repeatedly under load, and counts lost plants. */
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { audit, type Differences } from './ledger.ts';
import { Writers } from './writers.ts';

/** In milliseconds: the minimum time before a kill, and the maximum random time that is added. */
const LIFE = { least: 200, more: 1_300 };

await runCommand(
  {
    usage: 'npm run lab -- soak [--kills N]',
    about: 'Kills the local service repeatedly under load, and counts lost plants.',
    options: { kills: { value: 'N', about: 'number of kills, at most 500', default: '25' } },
  },
  async ({ kills }) => soak(wholeNumber('kills', kills, 1, 500)),
);

async function soak(kills: number): Promise<void> {
  const data = temporaryFolder();
  const writers = new Writers();
  const found = { missing: 0, altered: 0, strange: 0, unacknowledged: 0 };
  for (let kill = 0; kill <= kills; kill += 1) {
    const service = await startLocalProcess(data);
    // Before any writer can restore a lost plant by a retry.
    await audit(service.client, writers.entries, found);
    if (kill > 0)
      console.info(
        `kill ${kill}: ${writers.acknowledged} acknowledged, ${found.missing} missing, ${found.altered} altered`,
      );
    writers.service = service;
    if (kill < kills) {
      await pause(LIFE.least + Math.random() * LIFE.more);
    } else {
      await writers.stop();
      await audit(service.client, writers.entries, found);
    }
    writers.service = undefined;
    await service.end('SIGKILL');
  }
  report(kills, writers, found);
}

function report(kills: number, writers: Writers, found: Differences): void {
  const rows = {
    kills,
    requests: writers.requests,
    'answers lost': writers.lost,
    acknowledged: writers.acknowledged,
    'found, though the answer was lost': found.unacknowledged,
    missing: found.missing,
    altered: found.altered,
    'never sent': found.strange,
    'wrong answers': writers.wrong.length,
  };
  for (const [name, count] of Object.entries(rows)) console.info(`${String(count).padStart(8)}  ${name}`);
  for (const sentence of writers.wrong.slice(0, 5)) console.error(sentence);
  if (found.missing + found.altered + found.strange + writers.wrong.length > 0)
    throw new PlainError('The store and the acknowledgements differ.');
}
