/** `npm run fuzz`: the long fuzz run. */
import fc from 'fast-check';
import { PlainError } from '../../../local/plain-error.ts';
import { runCommand, wholeNumber } from '../../../tools/command-line.ts';
import { progressBar } from '../../../tools/progress.ts';
import { startTestService } from '../../support/test-service.ts';
import { FUZZES, type Fuzz } from './properties.ts';
import { Referee } from './referee.ts';
import { roundTrip } from './round-trip.ts';
import { type Subject, subjectInMemory, subjectOfBundle } from './subject.ts';

/** Cases between two updates of the progress bar; each lot has its own seed. */
const LOT = 5_000;
/** One case in this many uses a real store. */
const STORE_SHARE = 200;

await runCommand(
  {
    usage: 'npm run fuzz -- [--runs N] [--seed N]',
    about: 'Sends random requests to the function, and judges each answer by the contract.',
    options: {
      runs: { value: 'N', about: 'number of requests', default: '20000' },
      seed: { value: 'N', about: 'repeats the run with this seed' },
    },
  },
  async ({ runs, seed }) => {
    const random = String(Math.floor(Math.random() * 2 ** 31));
    await fuzz(wholeNumber('runs', runs, 1, 1e9), wholeNumber('seed', seed ?? random, 0, 2 ** 32));
  },
);

async function fuzz(runs: number, seed: number): Promise<void> {
  console.info(`${runs} cases, seed ${seed}`);
  const startedAt = performance.now();
  const memory = subjectInMemory();
  const done = await runAll(memory, runs, seed, 'in memory');
  const sample = Math.ceil(runs / STORE_SHARE);
  const service = await startTestService();
  const sampled = await runAll(subjectOfBundle(service), sample, seed + 1, 'the bundle over a real store');
  await fc.assert(roundTrip(service), { numRuns: sample, seed });
  console.info(`${String(sample).padStart(8)}  round trips, over a real store`);
  await service.close();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.info(`${done + sampled + sample} cases in ${seconds} s, seed ${seed}: no bug found.`);
}

async function runAll(subject: Subject, runs: number, seed: number, where: string): Promise<number> {
  const referee = new Referee(subject);
  let total = 0;
  for (const fuzz of FUZZES) {
    const share = Math.max(1, Math.round((runs * fuzz.share) / 1000));
    await runLots(fuzz, subject.token, referee, share, seed);
    total += share;
    console.info(`${String(share).padStart(8)}  ${fuzz.name}, ${where}`);
  }
  const numbers = [...referee.numbers].sort(([a], [b]) => a - b);
  console.info(`Answers ${where}: ${numbers.map(([number, count]) => `${number} × ${count}`).join(', ')}`);
  return total;
}

async function runLots(
  fuzz: Fuzz,
  token: string,
  referee: Referee,
  runs: number,
  seed: number,
): Promise<void> {
  const property = fuzz.property(token, referee) as fc.IAsyncProperty<[unknown]>;
  const draw = progressBar(runs);
  for (let done = 0, lot = 0; done < runs; done += LOT, lot += 1) {
    const result = await fc.check(property, {
      numRuns: Math.min(LOT, runs - done),
      seed: seed + lot * 1_000_003,
    });
    draw(Math.min(runs, done + LOT), fuzz.name);
    if (result.failed)
      throw new PlainError(`${fuzz.name}: ${result.errorInstance}\n${fc.defaultReportMessage(result)}`);
  }
  draw();
}
