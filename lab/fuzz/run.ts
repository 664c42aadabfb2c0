/** `npm run lab -- fuzz`: the long fuzz run. */
import fc from 'fast-check';
import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { progressBar } from '../../terminal/progress.ts';
import { fuzzes } from '../../test/fuzz/properties.ts';
import { type Subject, subjectInMemory, subjectOver } from '../../test/fuzz/subject.ts';
import { startBundle } from '../../test/support/function-under-test.ts';
import { startTestService } from '../../test/support/test-service.ts';

/** One case in this many uses a real store. */
const STORE_SHARE = 100;

await runCommand(
  {
    usage: 'npm run lab -- fuzz [--runs N] [--seed N]',
    about: 'Sends random requests to the function, and judges each response by the contract.',
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
  const sample = Math.ceil(runs / STORE_SHARE);
  await runAll(subjectInMemory(), runs, seed, 'in memory');
  const service = await startTestService();
  const { handler } = startBundle(service.store.endpoint);
  await runAll(subjectOver({ ...service, handler }), sample, seed + 1, 'the bundle over a real store');
  await service.close();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.info(`${runs + sample} cases in ${seconds} s, seed ${seed}: no bug found.`);
}

/** @throws Error with the seed, the shrunk event and what is wrong with the response to it */
async function runAll(subject: Subject, runs: number, seed: number, where: string): Promise<void> {
  const numbers = new Map<number, number>();
  for (const { name, numRuns, property } of fuzzes(subject, runs, numbers)) {
    const draw = progressBar(numRuns);
    let done = 0;
    property.beforeEach(() => draw(++done, name));
    await fc.assert(property, { numRuns, seed });
    draw();
    console.info(`${count(numRuns)}  ${name}, ${where}`);
  }
  const responses = [...numbers].sort(([a], [b]) => a - b).map(([number, times]) => `${number} × ${times}`);
  console.info(`Responses ${where}: ${responses.join(', ')}`);
}

function count(cases: number): string {
  return String(cases).padStart(8);
}
