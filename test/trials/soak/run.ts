/** `npm run soak -- [--kills N]`: kills the local service repeatedly under load, and counts lost plants. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PlainError } from '../../../local/plain-error.ts';
import { reportErrors } from '../../../tools/command-line.ts';
import { type LocalProcess, startLocalProcess, temporaryFolder } from '../../support/local-process.ts';
import { audit } from './ledger.ts';
import { Writers } from './writers.ts';

/** In milliseconds: the minimum time before a kill, and the random time that is added at most. */
const LIFE = { least: 200, more: 1_300 };

await reportErrors(async () => {
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '25' } } });
  const kills = Number(values.kills);
  if (!/^\d+$/.test(values.kills) || kills < 1 || kills > 500)
    throw new PlainError('--kills must be a whole number from 1 to 500.');
  const data = temporaryFolder();
  const writers = new Writers();
  const total = { missing: 0, altered: 0, strange: 0, unacknowledged: 0 };
  for (let kill = 0; kill <= kills; kill += 1) {
    const server = await startLocalProcess(data);
    const found = await auditStore(server, writers);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += found[key];
    writers.target = server;
    if (kill === kills) {
      await writers.stop();
      const end = await auditStore(server, writers);
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
});

function acknowledged({ entries }: Writers): number {
  return [...entries.values()].filter((entry) => entry.acknowledged).length;
}

/** Reads the store before any writer can restore a lost plant by a retry. */
async function auditStore({ endpoint, credentials }: LocalProcess, { entries }: Writers) {
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  try {
    return await audit(client, entries);
  } finally {
    client.destroy();
  }
}

function report(kills: number, writers: Writers, total: Awaited<ReturnType<typeof auditStore>>): void {
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
