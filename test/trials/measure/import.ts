/** `npm run measure:import`: imports a file with one kill, and compares the store with the file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { PlainError } from '../../../local/plain-error.ts';
import { LOCAL_TABLES } from '../../../local/tables.ts';
import { runCommand, table, wholeNumber } from '../../../tools/command-line.ts';
import { temporaryFolder } from '../../support/local-process.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCRIPTS: Record<'start' | 'import', string> = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
).scripts;
const POLL_MS = 100;
const ROWS_AT_ONCE = 1_000;
/** The most that the importer may use, in MiB. */
const MOST_MEMORY = 150;

await runCommand(
  {
    usage: 'npm run measure:import -- [--plants N]',
    about: `Imports a file into the local service, kills the importer half way, starts it again, and compares the store with
the file. Linux only.`,
    options: { plants: { value: 'N', about: 'how many plants', default: '1000000' } },
  },
  async ({ plants }) => measure(wholeNumber('plants', plants, 1_000, 10_000_000)),
);

async function measure(plants: number): Promise<void> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'plants.csv');
  writePlants(file, plants);
  const service = await startService(path.join(folder, 'data'));
  try {
    const startedAt = performance.now();
    const { code, memory } = await importWithKill(file, service);
    const seconds = (performance.now() - startedAt) / 1000;
    const difference = await compare(service, plants);
    const rows = {
      plants,
      'sent and created': service.counts.created,
      'sent twice': service.counts.repeated,
      'answered with an error': service.counts.error,
      ...difference,
      seconds: Math.round(seconds),
      'plants per second': Math.round(plants / seconds),
      'MiB, peak of the importer': memory,
      'MiB, peak of the service': service.peak(),
    };
    const cells = Object.entries(rows).map(([name, count]) => [String(count), name]);
    console.info(table(cells, 'r'));
    if (code !== 0 || Object.values(difference).some((count) => count > 0))
      throw new PlainError('The store and the file differ.');
    if (memory > MOST_MEMORY) throw new PlainError(`The importer used more than ${MOST_MEMORY} MiB.`);
  } finally {
    service.child.kill();
  }
}

/** Imports a file, with a kill half way. @returns the exit code of the second run, and the peak of both in MiB */
async function importWithKill(file: string, service: Service) {
  const first = startImport(file, service);
  const early = first.ended.then((code) => {
    throw new PlainError(`The importer ended with ${code} before half of the file was imported.`);
  });
  // The kill rejects it, too, when nobody waits for it any more.
  early.catch(() => undefined);
  await Promise.race([untilHalf(file), early]);
  first.child.kill('SIGKILL');
  await first.ended;
  const { next } = JSON.parse(readFileSync(`${file}.import.json`, 'utf8'));
  console.info(`Killed; resumes at line ${next.line}.`);
  const second = startImport(file, service);
  const code = await second.ended;
  return { code, memory: Math.max(first.peak(), second.peak()) };
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly tag?: string;
}

/** The plants of the file: ids from all over int64, names with characters that CSV must quote, some without a tag. */
function plantAt(index: number): Row {
  // With an odd factor, each index has a different id.
  const id = String(BigInt.asIntN(64, BigInt(index) * 0x9e3779b97f4a7c15n));
  const name = `Fern ${index}${index % 7 === 0 ? ', "tall"\nÖ 🌿' : ''}`;
  return index % 3 === 0 ? { id, name } : { id, name, tag: `shade ${index % 11}` };
}

function writePlants(file: string, plants: number): void {
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, 'id,name,tag\n');
  for (let index = 0; index < plants; index += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, plants - index) }, (_, n) => plantAt(index + n));
    const lines = rows.map(({ id, name, tag = '' }) => `${id},"${name.replaceAll('"', '""')}",${tag}\n`);
    writeSync(descriptor, lines.join(''));
  }
  closeSync(descriptor);
}

/**
 * Starts one of the project's npm scripts without npm, which a kill would leave behind.
 * @returns the process, its exit code, and the most memory that it has used, in MiB
 */
function startScript(
  script: 'start' | 'import',
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: 'pipe' | 'inherit',
) {
  const [, ...command] = SCRIPTS[script].split(' ');
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: ROOT,
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: undefined, ...env },
    stdio: ['ignore', output, 'inherit'],
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child));
  }, POLL_MS);
  const ended = once(child, 'exit').then(([code]) => {
    clearInterval(timer);
    return code as number | null;
  });
  return { child, ended, peak: () => Math.round(peak) };
}

/** The peak of a process's resident set, in MiB (proc_pid_status(5), VmHWM). */
function peakOf({ pid }: ChildProcess): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended.
    return 0;
  }
}

async function startService(data: string) {
  const started = startScript('start', ['--port', '0', '--data', data], {}, 'pipe');
  const counts = { created: 0, repeated: 0, error: 0 };
  const found = Promise.withResolvers<{ url: string; token: string }>();
  let welcome = '';
  createInterface({ input: started.child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    if (line.includes('"outcome":"created"')) counts.created += 1;
    else if (line.includes('"outcome":"repeated"')) counts.repeated += 1;
    else if (line.includes('"outcome"')) counts.error += 1;
    else welcome += `${line}\n`;
    if (!line.startsWith('Stop it with')) return;
    const url = /http:\/\/localhost:\d+/.exec(welcome)?.[0] ?? '';
    found.resolve({ url, token: /plants_[0-9A-Za-z]+/.exec(welcome)?.[0] ?? '' });
  });
  void started.ended.then(() => found.reject(new PlainError('The local service ended.')));
  return { ...started, ...(await found.promise), counts, data };
}

type Service = Awaited<ReturnType<typeof startService>>;

function startImport(file: string, { url, token }: Service) {
  return startScript('import', [file, '--url', url], { PLANT_STORE_TOKEN: token }, 'inherit');
}

/** Waits until half of a file is imported. */
async function untilHalf(file: string): Promise<void> {
  const half = statSync(file).size / 2;
  for (;;) {
    await pause(POLL_MS);
    try {
      if (JSON.parse(readFileSync(`${file}.import.json`, 'utf8')).next.offset > half) return;
    } catch {
      // The import has not started yet.
    }
  }
}

/** Reads the whole store with an independent client. */
async function compare({ data }: Service, plants: number) {
  const read = (name: string) => readFileSync(path.join(data, name), 'utf8');
  const credentials = { accessKeyId: read('access-key-id'), secretAccessKey: 'any' };
  const client = new DynamoDBClient({ endpoint: read('endpoint'), region: 'local', credentials });
  const seen = new Uint8Array(plants);
  const difference = { missing: 0, altered: 0, 'never sent': 0 };
  for await (const { Items: items = [] } of paginateScan({ client }, { TableName: LOCAL_TABLES.plants })) {
    for (const item of items) {
      const index = Number(/^Fern (\d+)/.exec(item.name?.S ?? '')?.[1] ?? plants);
      if (index >= plants) difference['never sent'] += 1;
      else if (!isDeepStrictEqual(item, itemOf(plantAt(index)))) difference.altered += 1;
      else seen[index] = 1;
    }
  }
  client.destroy();
  difference.missing = seen.reduce((sum, mark) => sum - mark, plants);
  return difference;
}

function itemOf({ id, name, tag }: Row) {
  return { id: { N: id }, name: { S: name }, ...(tag === undefined ? {} : { tag: { S: tag } }) };
}
