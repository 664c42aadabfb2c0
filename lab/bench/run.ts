/** `npm run lab -- bench`: measures one operation, built in eight ways; README.md lists the options. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { bundleRuntime, bundleSubject, sizeOf } from './build.ts';
import { countColdStart, countWarmRequests, valgrindHint } from './callgrind.ts';
import { checkSubject } from './check.ts';
import { type Bench, startStore } from './drive.ts';
import type { Start } from './environment.ts';
import { type ColdStarts, coldRound, type Measured, WARM_KINDS, warmRound } from './measure.ts';
import { barsSvg } from './report/bars.ts';
import { checkGates } from './report/gates.ts';
import { median } from './report/statistics.ts';
import { figureTable, gateTable } from './report/table.ts';
import { STORE_HOST } from './runtime/network.ts';
import { chooseSubjects, deployedStart, isOurs, type Subject } from './subjects.ts';

/** The folder of this run's bundles and certificate; made once the command is known to be valid. */
let folder = '';

await runCommand(
  {
    usage:
      'npm run lab -- bench [--rounds N] [--warm-rounds N] [--only NAMES] [--before FOLDER] [--json FILE] [--svg FILE]',
    about: 'Compares cold starts, CPU and memory of this function with seven other ways to write it.',
    options: {
      rounds: { value: 'N', about: 'rounds of cold starts', default: '20' },
      'warm-rounds': { value: 'N', about: 'rounds of warm requests', default: '20' },
      only: {
        value: 'NAMES',
        about: 'only peers whose names contain one of these, separated by semicolons',
      },
      before: { value: 'FOLDER', about: 'also measure this other checkout, in the same rounds' },
      json: { value: 'FILE', about: 'write every measurement to this file' },
      svg: { value: 'FILE', about: 'write the chart to this file' },
    },
    notes: 'Exit codes: 0 all gates passed, 1 at least one failed, 2 the command is invalid.',
  },
  async ({ only, before, json, svg, ...counts }) => {
    const rounds = wholeNumber('rounds', counts.rounds, 1, 1_000);
    const warmRounds = wholeNumber('warm-rounds', counts['warm-rounds'], 1, 1_000);
    folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
    let bench: Bench | undefined;
    try {
      bench = await prepareBench();
      const all = await measure(bench, chooseSubjects(only ?? '', before ?? ''), rounds, warmRounds);
      const gates = checkGates(all);
      console.info([figureTable(all), gateTable(gates), valgrindHint() ?? ''].join('\n\n'));
      if (json !== undefined) writeFileSync(json, JSON.stringify(all, null, 1));
      if (svg !== undefined)
        writeFileSync(svg, chart(all, `median of ${rounds} cold and ${warmRounds} warm rounds`));
      if (gates.some(({ verdict }) => verdict === 'FAIL')) process.exitCode = EXIT.failed;
    } finally {
      bench?.store.disconnect();
      rmSync(folder, { recursive: true });
    }
  },
);

async function measure(
  bench: Bench,
  subjects: readonly Subject[],
  rounds: number,
  warmRounds: number,
): Promise<Measured[]> {
  const canCount = valgrindHint() === undefined;
  const all: Measured[] = [];
  for (const subject of subjects) all.push(await prepareSubject(bench, subject, canCount));
  for (let round = 0; round < rounds; round += 1) await coldRound(bench, all, round);
  for (let round = 0; round < warmRounds; round += 1) await warmRound(bench, all, round);
  return all;
}

/** Makes a certificate for the stub, with an RSA 2048 key like DynamoDB's, and starts the stub. */
async function prepareBench(): Promise<Bench> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const name = ['-subj', `/CN=${STORE_HOST}`, '-addext', `subjectAltName=DNS:${STORE_HOST}`];
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  execFileSync('openssl', [...kind, ...name, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { runtime: await bundleRuntime(folder), certificate, ...(await startStore(key, certificate)) };
}

async function prepareSubject(bench: Bench, subject: Subject, canCount: boolean): Promise<Measured> {
  const file = await bundleSubject(subject, folder);
  const facts = await checkSubject(bench, subject.name, file, subject.entry !== 'empty');
  const coldStarts = async (start: Start): Promise<ColdStarts> => {
    const count = canCount ? await countColdStart(bench, file, start) : undefined;
    return { count, wall: [], cpu: [], initCpu: [] };
  };
  const cold = { plain: await coldStarts('plain'), script: await coldStarts('script') };
  const warmCounts =
    canCount && subject.entry === 'ours' ? await countWarmRequests(bench, file, WARM_KINDS) : [];
  console.error(`${subject.name}: ready`);
  const rounds = { warmCpu: [], badJsonCpu: [], noTokenCpu: [], peak: [] };
  return { subject, file, size: sizeOf(file), ...facts, cold, warmCounts, ...rounds };
}

function chart(all: readonly Measured[], how: string): string {
  const coldCpu = ({ cold, subject }: Measured) => cold[deployedStart(subject)].cpu;
  const rows = [...all].sort((a, b) => median(coldCpu(a)) - median(coldCpu(b)));
  const bars = (title: string, digits: number, value: (measured: Measured) => number[]) => {
    return { title, digits, values: rows.map((row) => median(value(row))) };
  };
  return barsSvg(
    `Create one plant (lower is better). Node ${process.versions.node}, ${process.arch}, ${how}.`,
    rows.map(({ subject }) => ({ name: subject.name, isMarked: isOurs(subject) })),
    [
      bars('cold start, CPU ms', 0, coldCpu),
      bars('warm request, CPU ms', 2, ({ warmCpu }) => warmCpu),
      bars('peak memory, MB', 0, ({ peak }) => peak),
    ],
  );
}
