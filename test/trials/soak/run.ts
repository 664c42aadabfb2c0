/** `npm run soak`: kills the local service repeatedly under load, and counts lost plants. */
import { setTimeout as pause } from 'node:timers/promises';
import { PlainError } from '../../../local/plain-error.ts';
import { runCommand, wholeNumber } from '../../../tools/command-line.ts';
import { startLocalProcess, temporaryFolder } from '../../support/local-process.ts';
import { type Audit, audit } from './ledger.ts';
import { Writers } from './writers.ts';

/** In milliseconds: the minimum time before a kill, and the random time that is added at most. */
const LIFE = { least: 200, more: 1_300 };

await runCommand(
  {
    usage: 'npm run soak -- [--kills N]',
    about: 'Kills the local service repeatedly under load, and counts lost plants.',
    options: { kills: { value: 'N', about: 'number of kills, at most 500', default: '25' } },
  },
  async ({ kills }) => soak(wholeNumber('kills', kills, 1, 500)),
);

async function soak(kills: number): Promise<void> {
  const data = temporaryFolder();
  const writers = new Writers();
  const total = { missing: 0, altered: 0, strange: 0, unacknowledged: 0 };
  for (let kill = 0; kill <= kills; kill += 1) {
    const server = await startLocalProcess(data);
    // Before any writer can restore a lost plant by a retry.
    const found = await audit(server.client, writers.entries);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += found[key];
    writers.target = server;
    if (kill === kills) {
      await writers.stop();
      const end = await audit(server.client, writers.entries);
      for (const key of ['missing', 'altered', 'strange'] as const) total[key] += end[key];
    } else {
      await pause(LIFE.least + Math.random() * LIFE.more);
    }
    writers.target = undefined;
    await server.end('SIGKILL');
    if (kill < kills)
      console.info(
        `kill ${kill + 1}: ${acknowledged(writers)} acknowledged, ${found.missing} missing, ${found.altered} altered`,
      );
  }
  report(kills, writers, total);
}

function acknowledged({ entries }: Writers): number {
  return [...entries.values()].filter((entry) => entry.acknowledged).length;
}

function report(kills: number, writers: Writers, total: Audit): void {
  const rows = {
    kills,
    requests: writers.requests,
    'answers lost': writers.lost,
    acknowledged: acknowledged(writers),
    'found, though the answer was lost': total.unacknowledged,
    missing: total.missing,
    altered: total.altered,
    'never sent': total.strange,
    'wrong answers': writers.wrong.length,
  };
  for (const [name, count] of Object.entries(rows)) console.info(`${String(count).padStart(8)}  ${name}`);
  for (const sentence of writers.wrong.slice(0, 5)) console.error(sentence);
  if (total.missing + total.altered + total.strange + writers.wrong.length > 0)
    throw new PlainError('The store and the acknowledgements differ.');
}
