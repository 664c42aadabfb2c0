/** `npm run lab -- mutation`: the mutation test. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { EXIT, runCommand, UsageError, wholeNumber } from '../../terminal/command-line.ts';
import { readJudged } from './judged.ts';
import { makeMutants } from './mutants.ts';
import { HERE, here } from './places.ts';
import { percentOf, printScores, report, type Score } from './report.ts';
import { TARGETS, type Target } from './targets.ts';
import { tryMutants } from './try-mutants.ts';
import { Workers } from './workers.ts';

await runCommand(
  {
    usage: 'npm run lab -- mutation [--target NAMES] [--only PARTS] [--workers N]',
    about: 'Makes many small changes to the code, one at a time, and lists those that no test detects.',
    options: {
      target: {
        value: 'NAMES',
        about: `some of ${Object.keys(TARGETS).join(', ')}, separated by commas; all by default`,
      },
      only: { value: 'PARTS', about: 'only files whose paths contain one of these, separated by commas' },
      workers: { value: 'N', about: 'number of processes', default: '2' },
    },
    notes: `Exit codes: 0 if each target has its score, 1 if not, 2 if the command is invalid.`,
  },
  async ({ target, only = '', workers }) => {
    const names = target?.split(',') ?? Object.keys(TARGETS);
    const targets = names.map((name) => [name, targetOf(name)] as const);
    const count = wholeNumber('workers', workers, 1, 64);
    // The packages of this folder are installed on first use.
    if (!existsSync(here('node_modules')))
      execFileSync('npm', ['ci', '--prefix', HERE], { stdio: 'inherit' });
    const scores: [string, Score][] = [];
    for (const [name, each] of targets) {
      const score = await runTarget(name, each, only.split(','), count);
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

async function runTarget(
  name: string,
  target: Target,
  parts: readonly string[],
  workers: number,
): Promise<Score> {
  const { sources, exceptions = [], keepsLabels = false } = target;
  const files = sources.flatMap((pattern) => globSync(pattern)).filter((file) => !exceptions.includes(file));
  const { mutants, code } = await makeMutants(files.sort(), keepsLabels);
  const chosen = mutants.filter(({ file }) => parts.some((part) => file.includes(part)));
  console.info(`\n${name}: ${chosen.length} mutants`);
  const kills = await tryMutants(chosen, target, new Workers(code, workers));
  const judged = readJudged([...new Set(chosen.map(({ file }) => file))]);
  return report(name, chosen, kills, judged);
}
