/** `npm run lab -- mutation`: the mutation test. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { EXIT, runCommand, UsageError, wholeNumber } from '../../terminal/command-line.ts';
import { readJudged } from './judged.ts';
import { makeMutants } from './mutants.ts';
import { HERE, here } from './places.ts';
import type { Mutant, Result } from './plan.ts';
import { percentOf, printScores, report, type Score } from './report.ts';
import { TARGETS, type Target } from './targets.ts';
import { tryMutants } from './try-mutants.ts';
import { Workers } from './workers.ts';

await runCommand(
  {
    usage: 'npm run lab -- mutation [--target NAMES] [--only PARTS] [--share N] [--workers N]',
    about: 'Makes many small changes to the code, one at a time, and lists those that no test detects.',
    options: {
      target: {
        value: 'NAMES',
        about: `some of ${Object.keys(TARGETS).join(', ')}, separated by commas; all by default`,
      },
      only: { value: 'PARTS', about: 'only files whose paths contain one of these, separated by commas' },
      share: { value: 'N', about: 'try every Nth mutant only; the score is that of a sample', default: '1' },
      workers: { value: 'N', about: 'number of processes', default: '2' },
    },
    notes: `lab/mutation/reports/ then has every mutant, and the test that detected it. An interrupted run prints the score of the
mutants that it has tried; those that only a part of the tests has tried count as not detected.
Exit codes: 0 if each target has its score, 1 if not or if interrupted, 2 if the command is invalid.`,
  },
  async ({ target, only = '', share, workers }) => {
    const names = target?.split(',') ?? Object.keys(TARGETS);
    const targets = names.map((name) => [name, targetOf(name)] as const);
    const extent: Extent = {
      parts: only.split(','),
      share: wholeNumber('share', share, 1, 1000),
      workers: wholeNumber('workers', workers, 1, 64),
    };
    // The packages of this folder are installed on first use.
    if (!existsSync(here('node_modules')))
      execFileSync('npm', ['ci', '--prefix', HERE], { stdio: 'inherit' });
    const scores: [string, Score][] = [];
    for (const [name, each] of targets) {
      const score = await runTarget(name, each, extent);
      scores.push([name, score]);
      if (percentOf(score) < each.threshold) process.exitCode = EXIT.failed;
    }
    if (scores.length > 1) printScores(scores);
  },
);

function targetOf(name: string): Target {
  const target = Object.hasOwn(TARGETS, name) ? TARGETS[name] : undefined;
  if (!target) throw new UsageError(`--target must be some of ${Object.keys(TARGETS).join(', ')}.`);
  return target;
}

/** What is tried of a target, and with how many processes. */
interface Extent {
  readonly parts: readonly string[];
  readonly share: number;
  readonly workers: number;
}

async function runTarget(name: string, target: Target, { parts, share, workers }: Extent): Promise<Score> {
  const { sources, exceptions = [], keepsLabels = false } = target;
  const files = sources
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !file.endsWith('.test.ts') && !exceptions.includes(file));
  const { mutants, code } = await makeMutants(files.sort(), keepsLabels);
  const asked = mutants.filter(({ file }) => parts.some((part) => file.includes(part)));
  const chosen = asked.filter((_, index) => index % share === 0);
  console.info(`\n${name}: ${chosen.length} of ${asked.length} mutants`);
  const judged = readJudged([...new Set(chosen.map(({ file }) => file))]);
  const kills = new Map<string, Result>();
  const tried = new Set<string>();
  const tell = (some: readonly Mutant[]) =>
    report({ name, mutants: some, isSample: some.length < asked.length }, kills, judged);
  const stop = () => {
    console.info(
      `\nInterrupted: ${tried.size} of ${asked.length} mutants were tried, some with a part of the tests only.`,
    );
    tell(chosen.filter(({ id }) => tried.has(id)));
    process.exit(EXIT.failed);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, stop);
  await tryMutants(chosen, target, new Workers(code, workers), { kills, tried });
  for (const signal of signals) process.off(signal, stop);
  return tell(chosen);
}
