/** `npm run lab -- histories`: runs many random histories of the service, and checks each against a model. */

import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { progressBar } from '../../terminal/progress.ts';
import { findFailure, type Options } from './run-history.ts';
import { loadSubject, type Subject } from './subject.ts';
import { VARIANTS } from './variants.ts';

await runCommand(
  {
    usage: 'npm run lab -- histories [--runs N] [--seed N [--path PATH]] [--broken]',
    about: 'Runs random histories of the service, and checks each against a model.',
    options: {
      runs: { value: 'N', about: 'number of histories', default: '100000' },
      seed: { value: 'N', about: 'repeats the run with this seed' },
      path: { value: 'PATH', about: 'repeats one history of it, as a failure prints it' },
      broken: { about: 'breaks the service in several ways, and counts the histories until each is found' },
    },
  },
  async ({ runs, seed, path, broken }) => {
    const random = String(Math.floor(Math.random() * 2 ** 31));
    const count = wholeNumber('runs', runs, 1, 1e9);
    const options = { runs: count, seed: wholeNumber('seed', seed ?? random, 0, 2 ** 31) };
    console.info(`${path === undefined ? `${count} histories` : 'one history'}, seed ${options.seed}`);
    if (broken) await findBroken(options);
    else await search(await loadSubject(), { ...options, path });
  },
);

/** @throws PlainError with the story of the first history that the model does not allow */
async function search(subject: Subject, options: Options): Promise<void> {
  const startedAt = performance.now();
  const draw = progressBar(options.runs);
  let [histories, requests] = [0, 0];
  const onHistory = (attempts: number) => {
    histories += 1;
    requests += attempts;
    draw(histories, 'histories');
  };
  const failure = await findFailure(subject, { ...options, onHistory });
  draw();
  if (failure) throw new PlainError(failure.story);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.info(`${histories} histories with ${requests} requests in ${seconds} s: the model allows each.`);
}

/** @throws PlainError if a broken service is not found */
async function findBroken(options: Options): Promise<void> {
  const missed: string[] = [];
  for (const variant of VARIANTS) {
    const failure = await findFailure(await loadSubject(variant), { ...options, shrinks: false });
    console.info(`${String(failure?.runs ?? 'not').padStart(8)}  ${variant.name}`);
    if (!failure) missed.push(variant.name);
  }
  if (missed.length > 0) throw new PlainError(`Not found: ${missed.join(', ')}.`);
}
