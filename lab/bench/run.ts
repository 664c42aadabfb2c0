/** `npm run lab -- bench`: measures one operation, built in eight ways; README.md lists the options. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, runCommand, wholeNumber } from '../../cli/command-line.ts';
import { bundleRuntime, bundleSubject, sizeOf } from './build.ts';
import { valgrindHint } from './callgrind.ts';
import { type Bench, startStore } from './drive.ts';
import { checkSubject, coldRound, countAll, type Measured, warmRound } from './measure.ts';
import { report } from './report.ts';
import { STORE_HOST } from './runtime/network.ts';
import { chooseSubjects, type Subject } from './subjects.ts';

/** The folder of this run's bundles and certificate; made once the command is known to be valid. */
let folder = '';

await runCommand(
  {
    usage:
      'npm run lab -- bench [--counts N] [--rounds N] [--warm-rounds N] [--only NAMES] [--before FOLDER]',
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
    },
    notes: 'Exit codes: 0 all gates passed, 1 at least one failed, 2 the command is invalid.',
  },
  async ({ only, before, ...words }) => {
    const counts = wholeNumber('counts', words.counts, 1, 100);
    const rounds = wholeNumber('rounds', words.rounds, 1, 1_000);
    const warmRounds = wholeNumber('warm-rounds', words['warm-rounds'], 1, 1_000);
    folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
    let bench: Bench | undefined;
    try {
      bench = await prepareBench();
      const all: Measured[] = [];
      for (const subject of chooseSubjects(only ?? '', before ?? ''))
        all.push(await prepareSubject(bench, subject));
      if (valgrindHint() === undefined) await countAll(bench, all, counts);
      for (let round = 0; round < rounds; round += 1) await coldRound(bench, all, round);
      for (let round = 0; round < warmRounds; round += 1) await warmRound(bench, all, round);
      if (!report(all)) process.exitCode = EXIT.failed;
      console.info(valgrindHint() ?? '');
    } finally {
      bench?.store.disconnect();
      rmSync(folder, { recursive: true });
    }
  },
);

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
  await checkSubject(bench, subject, file);
  console.error(`${subject.name}: checked`);
  const cold = { plain: { counts: [], cpu: [] }, script: { counts: [], cpu: [] } };
  return { subject, file, size: sizeOf(file), cold, warmCounts: [], warmCpu: [], peak: [] };
}
