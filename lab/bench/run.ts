/** `npm run lab -- bench`: measures one operation, built in eight ways; README.md lists the options. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { bundleRuntime, bundleSubject, sizeOf } from './build.ts';
import { valgrindHint } from './callgrind.ts';
import { checkSubject } from './check.ts';
import { type Bench, startStore } from './drive.ts';
import { type ColdStarts, coldRound, countAll, type Measured, warmRound } from './measure.ts';
import { checkGates } from './report/gates.ts';
import { figureTable, gateTable } from './report/table.ts';
import { STORE_HOST } from './runtime/network.ts';
import { chooseSubjects, type Subject } from './subjects.ts';

/** How often each subject is measured. */
interface Times {
  /** Cold starts of each kind whose instructions are counted. */
  readonly counts: number;
  readonly rounds: number;
  readonly warmRounds: number;
}

/** The folder of this run's bundles and certificate; made once the command is known to be valid. */
let folder = '';

await runCommand(
  {
    usage:
      'npm run lab -- bench [--counts N] [--rounds N] [--warm-rounds N] [--only NAMES] [--before FOLDER] [--json FILE]',
    about: 'Compares cold starts, CPU and memory of this function with seven other ways to write it.',
    options: {
      counts: { value: 'N', about: 'cold starts whose instructions are counted, in each way', default: '3' },
      rounds: { value: 'N', about: 'rounds of cold starts', default: '20' },
      'warm-rounds': { value: 'N', about: 'rounds of warm requests', default: '20' },
      only: {
        value: 'NAMES',
        about: 'only peers whose names contain one of these, separated by semicolons',
      },
      before: { value: 'FOLDER', about: 'also measure this other checkout, in the same rounds' },
      json: { value: 'FILE', about: 'write every measurement to this file' },
    },
    notes: 'Exit codes: 0 all gates passed, 1 at least one failed, 2 the command is invalid.',
  },
  async ({ only, before, json, ...words }) => {
    const times: Times = {
      counts: wholeNumber('counts', words.counts, 1, 100),
      rounds: wholeNumber('rounds', words.rounds, 1, 1_000),
      warmRounds: wholeNumber('warm-rounds', words['warm-rounds'], 1, 1_000),
    };
    folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
    let bench: Bench | undefined;
    try {
      bench = await prepareBench();
      const all = await measure(bench, chooseSubjects(only ?? '', before ?? ''), times);
      const gates = checkGates(all);
      console.info([figureTable(all), gateTable(gates), valgrindHint() ?? ''].join('\n\n'));
      if (json !== undefined) writeFileSync(json, JSON.stringify(all, null, 1));
      if (gates.some(({ verdict }) => verdict === 'FAIL')) process.exitCode = EXIT.failed;
    } finally {
      bench?.store.disconnect();
      rmSync(folder, { recursive: true });
    }
  },
);

async function measure(bench: Bench, subjects: readonly Subject[], times: Times): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const subject of subjects) all.push(await prepareSubject(bench, subject));
  if (valgrindHint() === undefined) await countAll(bench, all, times.counts);
  for (let round = 0; round < times.rounds; round += 1) await coldRound(bench, all, round);
  for (let round = 0; round < times.warmRounds; round += 1) await warmRound(bench, all, round);
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

async function prepareSubject(bench: Bench, subject: Subject): Promise<Measured> {
  const file = await bundleSubject(subject, folder);
  const facts = await checkSubject(bench, subject.name, file, subject.entry !== 'empty');
  console.error(`${subject.name}: checked`);
  const coldStarts = (): ColdStarts => ({ counts: [], wall: [], cpu: [], initCpu: [] });
  const cold = { plain: coldStarts(), script: coldStarts() };
  const rounds = { warmCounts: [], warmCpu: [], badJsonCpu: [], noTokenCpu: [], peak: [] };
  return { subject, file, size: sizeOf(file), ...facts, cold, ...rounds };
}
