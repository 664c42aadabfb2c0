/** `npm run lab -- import`: measures the import of plants against a stub, beside another checkout and autocannon. */
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { columns, runCommand, wholeNumber } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { print } from '../../cli/print.ts';
import { WHOLE } from '../../contract/examples.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const AUTOCANNON = 'autocannon@8.0.0';
const IN_FLIGHT = [32, 256];
/** Its ids begin here: each has 19 digits. */
const FIRST_ID = 9_000_000_000_000_000_000n;

/** Of the right form: the stub does not look at it. */
const TOKEN = formatToken(new Uint8Array(32));

/** What one process has used. */
interface Used {
  readonly cpuMs: number;
  readonly rssKb: number;
  readonly seconds: number;
}

await runCommand(
  {
    script: 'lab',
    verb: 'import',
    usage: '[--before FOLDER] [--plants N] [--rounds N]',
    about:
      'Measures the CPU time, the rate and the memory of an import, against a service that responds at once.',
    options: {
      before: { value: 'FOLDER', about: 'also measure this other checkout, in the same rounds' },
      plants: { value: 'N', about: 'plants of an import', default: '60000' },
      rounds: { value: 'N', about: 'rounds, in each of which every subject runs once', default: '3' },
    },
    notes: 'Exit codes: 0 all gates passed, 1 at least one failed, 2 the command is invalid.',
  },
  async ({ before, ...words }) => {
    const plants = wholeNumber('plants', words.plants, 1, 100_000_000);
    const rounds = wholeNumber('rounds', words.rounds, 1, 100);
    const folder = temporaryFolder();
    const file = path.join(folder, 'plants.ndjson');
    await writePlants(file, plants);
    const stub = fork(path.join(import.meta.dirname, 'stub.ts'), [JSON.stringify(WHOLE)]);
    const [port] = (await once(stub, 'message')) as [number];
    const url = `http://127.0.0.1:${port}`;
    const cannon = installed(folder);
    const subjects: Record<string, (inFlight: number) => Promise<Used>> = {
      now: (inFlight) => importOf(ROOT, file, url, inFlight),
      ...(before && { before: (inFlight) => importOf(path.resolve(before), file, url, inFlight) }),
      autocannon: (inFlight) => used([cannon, ...cannonOptions(url, inFlight, plants)]),
    };
    const isGood = await measure(subjects, rounds, plants);
    stub.kill();
    return isGood;
  },
);

async function writePlants(file: string, count: number): Promise<void> {
  const output = await open(file, 'w');
  const plant = JSON.stringify(WHOLE).slice(1);
  for (let n = 0; n < count; n += 10_000) {
    const lines = Array.from(
      { length: Math.min(10_000, count - n) },
      (_, k) => `{"id":${FIRST_ID + BigInt(n + k)},${plant}\n`,
    );
    await output.write(lines.join(''));
  }
  await output.close();
}

/** @returns the path of the program */
function installed(folder: string): string {
  execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, AUTOCANNON], {
    stdio: 'inherit',
  });
  return path.join(folder, 'node_modules/autocannon/autocannon.js');
}

function cannonOptions(url: string, inFlight: number, plants: number): string[] {
  const headers = [`Authorization=Bearer ${TOKEN}`, 'Content-Type=application/json'].flatMap((each) => [
    '-H',
    each,
  ]);
  const body = `{"id":${FIRST_ID},${JSON.stringify(WHOLE).slice(1)}`;
  return [
    '-n',
    '-a',
    String(plants),
    '-c',
    String(inFlight),
    '-m',
    'POST',
    ...headers,
    '-b',
    body,
    `${url}/plants`,
  ];
}

/** Runs the import of a checkout as its script in package.json does, without npm. */
function importOf(checkout: string, file: string, url: string, inFlight: number): Promise<Used> {
  const { scripts } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  const [, ...words] = String(scripts.import).split(' ');
  return used([...words, file, '--url', url, '--parallel', String(inFlight)], checkout);
}

/** @throws PlainError if the process fails */
async function used(words: readonly string[], cwd = ROOT): Promise<Used> {
  const file = path.join(temporaryFolder(), 'usage.json');
  const env = { ...process.env, USAGE_FILE: file, PLANT_STORE_TOKEN: TOKEN };
  const preload = ['--import', path.join(import.meta.dirname, 'usage.mjs')];
  const start = performance.now();
  const child = spawn(process.execPath, [...preload, ...words], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new PlainError(`The command has ended with ${code}: node ${words.join(' ')}`);
  const usage = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return { ...usage, seconds };
}

/** Runs all subjects in each round, in another order each time, and prints the medians. @returns whether all gates passed */
async function measure(
  subjects: Readonly<Record<string, (inFlight: number) => Promise<Used>>>,
  rounds: number,
  plants: number,
): Promise<boolean> {
  const names = Object.keys(subjects);
  const all = new Map<string, Used[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const inFlight of IN_FLIGHT)
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const key = `${name}, ${inFlight} in flight`;
        all.set(key, [
          ...(all.get(key) ?? []),
          await (subjects[name] as (n: number) => Promise<Used>)(inFlight),
        ]);
      }
  const rows = [...all].map(([name, each]) => [
    name,
    median(each.map(({ cpuMs }) => cpuMs / 1000)).toFixed(2),
    String(Math.round(plants / median(each.map(({ seconds }) => seconds)))),
    String(Math.round(median(each.map(({ rssKb }) => rssKb / 1024)))),
  ]);
  print(columns([['', 'CPU, s', 'plants a second', 'memory, MiB'], ...rows], 'lrrr').join('\n'));
  return gates(all);
}

/** What is compared: the ratio of one subject's figure to another's, in the same round, and the most that it may be. */
function gates(all: ReadonlyMap<string, readonly Used[]>): boolean {
  const cpu = ({ cpuMs }: Used) => cpuMs;
  const time = ({ seconds }: Used) => seconds;
  const memory = ({ rssKb }: Used) => rssKb;
  const wanted: [what: string, of: string, to: string, (used: Used) => number, most: number][] = [
    ...IN_FLIGHT.flatMap((n): typeof wanted => [
      [`CPU, ${n} in flight, to before`, `now, ${n} in flight`, `before, ${n} in flight`, cpu, 0.45],
      [`time, ${n} in flight, to before`, `now, ${n} in flight`, `before, ${n} in flight`, time, 0.5],
      [`memory, ${n} in flight, to before`, `now, ${n} in flight`, `before, ${n} in flight`, memory, 1],
      [`CPU, ${n} in flight, to autocannon`, `now, ${n} in flight`, `autocannon, ${n} in flight`, cpu, 4],
    ]),
    ['CPU, 256 in flight, to 32', 'now, 256 in flight', 'now, 32 in flight', cpu, 1],
  ];
  const rows = wanted.flatMap(([what, of, to, figure, most]) => {
    const [first, second] = [all.get(of), all.get(to)];
    if (!first || !second) return [];
    const ratio = median(first.map((each, n) => figure(each) / figure(second[n] as Used)));
    return [[what, ratio.toFixed(3), String(most), ratio <= most ? 'pass' : 'FAIL']];
  });
  print(columns([['ratio', 'measured', 'gate', ''], ...rows], 'lrrl').join('\n'));
  return rows.every(([, , , verdict]) => verdict === 'pass');
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
