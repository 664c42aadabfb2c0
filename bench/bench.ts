/** `npm run bench`: measures one operation, built in eight ways; README.md lists the options. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { barsSvg } from '../tools/plot.ts';
import { bundleRuntime, bundleSubject, sizeOf } from './build.ts';
import { countInstructions, valgrindHint } from './callgrind.ts';
import { checkSubject } from './check.ts';
import { type Bench, startStore } from './drive.ts';
import { coldRound, type Measured, warmRound } from './measure.ts';
import { checkGates } from './report/gates.ts';
import { median } from './report/statistics.ts';
import { figureTable, gateTable } from './report/table.ts';
import { STORE_HOST } from './runtime/network.ts';
import { chooseSubjects, isOurs, type Subject } from './subjects.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    'warm-rounds': { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    before: { type: 'string', default: '' },
    json: { type: 'string', default: '' },
    svg: { type: 'string', default: '' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
let store: Bench['store'] | undefined;
try {
  const bench = await prepareBench();
  store = bench.store;
  await main(bench, chooseSubjects(options.only, options.before));
} finally {
  store?.disconnect();
  rmSync(folder, { recursive: true });
}

async function main(bench: Bench, subjects: readonly Subject[]): Promise<void> {
  const hint = valgrindHint();
  const all: Measured[] = [];
  for (const subject of subjects) all.push(await prepareSubject(bench, subject, hint === undefined));
  for (let round = 0; round < Number(options.rounds); round += 1) await coldRound(bench, all, round);
  for (let round = 0; round < Number(options['warm-rounds']); round += 1) await warmRound(bench, all, round);
  const gates = checkGates(all);
  console.info([figureTable(all), gateTable(gates), hint ?? ''].join('\n\n'));
  if (options.json !== '') writeFileSync(options.json, JSON.stringify(all, null, 1));
  if (options.svg !== '') writeFileSync(options.svg, chart(all));
  if (gates.some(({ verdict }) => verdict === 'FAIL')) process.exitCode = 1;
}

/** Makes a certificate for the stub, with an RSA 2048 key like DynamoDB's, and starts the stub. */
async function prepareBench(): Promise<Bench> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const name = ['-subj', `/CN=${STORE_HOST}`, '-addext', `subjectAltName=DNS:${STORE_HOST}`];
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  execFileSync('openssl', [...kind, ...name, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { runtime: await bundleRuntime(folder), certificate, ...(await startStore(key, certificate)) };
}

async function prepareSubject(bench: Bench, subject: Subject, counts: boolean): Promise<Measured> {
  const file = await bundleSubject(subject, folder);
  const facts = await checkSubject(bench, subject.name, file, subject.entry !== 'empty');
  const instructions = counts ? await countInstructions(bench, file) : Number.NaN;
  console.error(`${subject.name}: ready`);
  const rounds = { coldWall: [], coldCpu: [], warmCpu: [], badJsonCpu: [], noTokenCpu: [], peak: [] };
  return { subject, file, size: sizeOf(file), instructions, ...facts, ...rounds };
}

function chart(all: readonly Measured[]): string {
  const rows = [...all].sort((a, b) => median(a.coldCpu) - median(b.coldCpu));
  const bars = (title: string, digits: number, value: (measured: Measured) => number[]) => {
    return { title, digits, values: rows.map((row) => median(value(row))) };
  };
  return barsSvg(
    `Create one plant (lower is better). Node ${process.versions.node}, ${process.arch}, median of ${options.rounds} cold and ${options['warm-rounds']} warm rounds.`,
    rows.map(({ subject }) => ({ name: subject.name, isMarked: isOurs(subject) })),
    [
      bars('cold start, CPU ms', 0, ({ coldCpu }) => coldCpu),
      bars('warm request, CPU ms', 2, ({ warmCpu }) => warmCpu),
      bars('peak memory, MB', 0, ({ peak }) => peak),
    ],
  );
}
