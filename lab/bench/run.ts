/** `npm run lab -- bench`: measures one operation, built in four ways, or the import; README.md lists the options. */
import { runCommand, wholeNumber } from '../../cli/command-line.ts';
import { listen } from '../../local/listen.ts';
import { makeCertificate } from '../../test/support/certificate.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { bundleRuntime, bundleSubject, type Subject } from './build.ts';
import { valgrindHint } from './callgrind.ts';
import type { Bench } from './drive.ts';
import { runImports } from './import/run.ts';
import { checkSubject, coldRound, countAll, type Measured, warmRound } from './measure.ts';
import { OURS, report } from './report.ts';
import { STORE_HOST } from './runtime/network.ts';
import { createStore } from './store.ts';

/** All subjects, in the order of the tables. @param before the root of another checkout to measure beside ours */
function subjects(before?: string): Subject[] {
  return [
    { name: 'empty handler', entry: 'empty' },
    { name: OURS },
    { name: 'ours, plain', isPlain: true },
    ...(before === undefined ? [] : [{ name: 'ours, before', checkout: before }]),
    { name: 'client-dynamodb', entry: 'bare-client' },
    { name: 'Powertools event handler', entry: 'powertools' },
  ];
}

await runCommand({
  script: 'lab',
  verb: 'bench',
  usage: '[--import] [--rounds N] [--before FOLDER]',
  about: 'Compares cold starts, CPU and memory of this function with three other ways to write it.',
  options: {
    import: { about: 'measure CPU, rate and memory of `npm run import` instead; Linux only' },
    rounds: {
      value: 'N',
      about: 'rounds, of which medians are shown (default: 20, or 3 of the import)',
    },
    before: { value: 'FOLDER', about: 'also measure this other checkout, in the same rounds' },
  },
  notes: 'Exit codes: 0 all gates passed, 1 at least one failed, 2 the command is invalid.',
  async main({ before, import: ofImport, rounds: word = ofImport ? '3' : '20' }) {
    const rounds = wholeNumber('rounds', word, 1, 1_000);
    if (ofImport) return runImports(rounds, before);
    // With a key like DynamoDB's.
    const certificate = makeCertificate(STORE_HOST, 'rsa');
    const store = createStore(certificate);
    const { port } = new URL(await listen(store));
    const bench: Bench = {
      runtime: await bundleRuntime(temporaryFolder()),
      certificate: certificate.cert,
      port,
    };
    const all: Measured[] = [];
    for (const subject of subjects(before)) all.push(await prepareSubject(bench, subject));
    if (valgrindHint() === undefined) await countAll(bench, all);
    for (let round = 0; round < rounds; round += 1) await coldRound(bench, all, round);
    for (let round = 0; round < rounds; round += 1) await warmRound(bench, all, round);
    store.close();
    const hasPassed = report(all);
    console.info(valgrindHint() ?? '');
    return hasPassed;
  },
});

async function prepareSubject(bench: Bench, subject: Subject): Promise<Measured> {
  const bundle = await bundleSubject(subject, temporaryFolder());
  await checkSubject(bench, subject, bundle.file);
  console.error(`${subject.name}: checked`);
  return { subject, ...bundle, counts: { plain: [], script: [] }, coldCpu: [], warmCpu: [], peak: [] };
}
