/** `npm run lab -- histories`: runs many random histories of the service, and checks each against a model. */
import fc from 'fast-check';
import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { progressBar } from '../../terminal/progress.ts';
import { BROKEN } from './broken.ts';
import { violations } from './check.ts';
import { plans } from './plan.ts';
import { simulate } from './simulation.ts';
import { loadSubject, type Subject } from './subject.ts';

/** Within how many histories a broken service must be found. */
const SOON = 1_000;

await runCommand(
  {
    usage: 'npm run lab -- histories [--runs N] [--seed N [--path PATH]]',
    about: `Runs random histories of the service, and checks each against a model. First it breaks the service in ${BROKEN.length} ways,
and fails if one is not found within ${SOON} histories.`,
    options: {
      runs: { value: 'N', about: 'number of histories', default: '100000' },
      seed: { value: 'N', about: 'repeats the run with this seed' },
      path: { value: 'PATH', about: 'repeats one history of it, as a failure prints it' },
    },
  },
  async ({ runs, seed: given, path = '' }) => {
    const seed = wholeNumber('seed', given ?? String(Math.floor(Math.random() * 2 ** 31)), 0, 2 ** 31);
    const numRuns = wholeNumber('runs', runs, 1, 1e9);
    if (path === '') await findBroken();
    await search(await loadSubject(), { numRuns, seed, path });
  },
);

/** @throws PlainError if a broken service is not found. Always the same histories: in others, a rare fault might be missed. */
async function findBroken(): Promise<void> {
  for (const { name, breaks } of BROKEN) {
    const subject = await loadSubject();
    const options = { numRuns: SOON, seed: 1, endOnFailure: true };
    const { failed, numRuns } = await fc.check(propertyOf({ ...subject, ...breaks(subject) }), options);
    if (!failed) throw new PlainError(`Not found: ${name}.`);
    console.info(`found in history ${String(numRuns).padStart(3)}: ${name}`);
  }
}

/** @throws PlainError with the first history that the model does not allow, shrunk */
async function search(subject: Subject, options: { numRuns: number; seed: number; path: string }) {
  const { numRuns, seed } = options;
  console.info(`${numRuns} histories, seed ${seed}`);
  const startedAt = performance.now();
  const draw = progressBar(numRuns);
  let [histories, requests] = [0, 0];
  const property = propertyOf(subject, (attempts) => {
    requests += attempts;
    histories += 1;
    draw(histories, 'histories');
  });
  const { failed, counterexample, counterexamplePath } = await fc.check(property, options);
  draw();
  if (failed && counterexample) {
    const history = await simulate(subject, counterexample[0]);
    const { attempts, calls, found } = history;
    const lines = [counterexample[0], ...attempts, ...calls, ...found].map((each) => JSON.stringify(each));
    const repeat = `npm run lab -- histories --seed ${seed} --path ${counterexamplePath}`;
    throw new PlainError([...violations(history), ...lines, `To repeat it: ${repeat}`].join('\n'));
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.info(`${histories} histories with ${requests} requests in ${seconds} s: the model allows each.`);
}

function propertyOf(subject: Subject, onHistory: (attempts: number) => void = () => undefined) {
  return fc.asyncProperty(plans, async (plan) => {
    const history = await simulate(subject, plan);
    onHistory(history.attempts.length);
    const found = violations(history);
    if (found.length > 0) throw new Error(found.join('\n'));
  });
}
