/** `npm run lab -- import`: imports a file twice, killing the first importer, and compares the store with the file. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LEAST, TEXT, WHOLE } from '../../contract/examples.ts';
import manifest from '../../package.json' with { type: 'json' };
import { runCommand, table, wholeNumber } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type StoredItem, storedItems } from '../../test/support/stored-item.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { ROOT } from '../installation.ts';

const POLL_MS = 100;
/** The most that the importer may use, in MiB. */
const MOST_MEMORY = 150;

await runCommand(
  {
    usage: 'npm run lab -- import [--plants N]',
    about: `Imports a file into the local service, kills the importer halfway, imports the whole file, and compares the
store with the file. Linux only.`,
    options: { plants: { value: 'N', about: 'how many plants', default: '1000000' } },
  },
  async ({ plants }) => measure(wholeNumber('plants', plants, 1_000, 10_000_000)),
);

async function measure(plants: number): Promise<void> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'plants.csv');
  await writeFile(file, csvOf(plants));
  const data = path.join(folder, 'data');
  const service = await startService(data);
  const isHalfDone = () => (service.outcomes.created ?? 0) > plants / 2;
  const startedAt = performance.now();
  const { code, memory } = await importWithKill([file, '--data', data], isHalfDone);
  const seconds = (performance.now() - startedAt) / 1000;
  const difference = await compare(data, plants);
  const rows = {
    plants,
    ...service.outcomes,
    ...difference,
    seconds: Math.round(seconds),
    'plants per second': Math.round(plants / seconds),
    'MiB, peak of the importer': memory,
    'MiB, peak of the service': peakOf(service.child),
  };
  service.child.kill();
  const cells = Object.entries(rows).map(([name, count]) => [String(count), name]);
  console.info(table(cells, 'r'));
  if (code !== 0 || Object.values(difference).some((count) => count > 0))
    throw new PlainError('The store and the file differ.');
  if (memory > MOST_MEMORY) throw new PlainError(`The importer used more than ${MOST_MEMORY} MiB.`);
}

/** The plants of the file: ids from all over int64, names with characters that CSV must quote, some only what is required. */
function plantAt(index: number): StoredItem {
  // With an odd factor, each index has a different id.
  const id = String(BigInt.asIntN(64, BigInt(index) * 0x9e3779b97f4a7c15n));
  const text = `Fern ${index}${index % 7 === 0 ? ', "tall"\nÖ 🌿' : ''}`;
  return { id, ...(index % 3 === 0 ? LEAST : WHOLE), [TEXT]: text };
}

function* csvOf(plants: number): Generator<string> {
  const names = ['id', ...Object.keys(WHOLE)];
  yield `${names}\n`;
  for (let index = 0; index < plants; index += 1) {
    const plant = plantAt(index);
    yield `${names.map((name) => `"${String(plant[name] ?? '').replaceAll('"', '""')}"`)}\n`;
  }
}

/** Starts the command of an npm script directly: a kill of npm would leave it running. It ends with this process. */
function startScript(script: 'start' | 'import', args: readonly string[]) {
  const [, ...command] = manifest.scripts[script].split(' ');
  return spawn(process.execPath, [...command, ...args], {
    cwd: ROOT,
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The peak of a process's resident set so far, in MiB (proc_pid_status(5), VmHWM). */
function peakOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
}

/** Waits for the end of a process, or until it has done enough. @returns its peak in MiB */
async function watch(child: ChildProcess, hasDoneEnough: () => boolean): Promise<number> {
  const ended = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null && !hasDoneEnough()) {
    peak = Math.max(peak, peakOf(child));
    await Promise.race([pause(POLL_MS), ended]);
  }
  return peak;
}

async function startService(data: string) {
  const child = startScript('start', ['--port', '0', '--data', data]);
  /** The number of requests by their outcome in the log. */
  const outcomes: Record<string, number> = { created: 0, repeated: 0 };
  const ready = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => {
    const outcome = /"outcome":"([^"]+)"/.exec(line)?.[1];
    if (outcome) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (line.startsWith('Stop it with')) ready.resolve();
  });
  child.once('exit', () => ready.reject(new PlainError('The local service ended.')));
  await ready.promise;
  return { child, outcomes };
}

/** Imports a file after a kill halfway. @returns the exit code of the second run, and the peak of both in MiB */
async function importWithKill(args: readonly string[], isHalfDone: () => boolean) {
  const first = startScript('import', args);
  const peak = await watch(first, isHalfDone);
  if (!first.kill('SIGKILL'))
    throw new PlainError('The importer ended before half of the file was imported.');
  await once(first, 'exit');
  const second = startScript('import', args);
  second.stdout.pipe(process.stdout, { end: false });
  const memory = Math.max(peak, await watch(second, () => false));
  return { code: second.exitCode, memory };
}

/** Reads the whole store with an independent client. */
async function compare(data: string, plants: number) {
  const read = (name: string) => readFileSync(path.join(data, name), 'utf8');
  const credentials = { accessKeyId: read('access-key-id'), secretAccessKey: 'any' };
  const client = new DynamoDBClient({ endpoint: read('endpoint'), region: 'local', credentials });
  const stored = await storedItems(client);
  client.destroy();
  let [missing, same] = [0, 0];
  for (let index = 0; index < plants; index += 1) {
    const plant = plantAt(index);
    if (!stored.has(plant.id)) missing += 1;
    else if (isDeepStrictEqual(stored.get(plant.id), plant)) same += 1;
  }
  return { missing, 'altered, or never sent': stored.size - same };
}
