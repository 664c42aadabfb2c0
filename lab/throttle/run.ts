/** `npm run lab -- throttle`: how long plants take, and what they cost, while the store throttles. */
import { runCommand } from '../../cli/command-line.ts';
import { type Gate, printGates, printTable } from '../figures.ts';
import { Client, type Outcome } from './client.ts';
import { SimulatedClock } from './clock.ts';
import { seeded } from './seeded.ts';
import type { Throttle } from './store.ts';
import { type Subject, subjects } from './subjects.ts';

/** In each case. */
const PLANTS = 1_000;

const CASES: readonly Throttle[] = [
  ...[200, 500, 1_000, 2_000, 10_000].map((ms) => ({ ms, share: 1 })),
  { ms: 30_000, share: 0.5 },
];

/** The figures of a subject in a case. */
interface Figures {
  readonly median: number;
  readonly p99: number;
  /** Of the store, for each plant that was stored. */
  readonly calls: number;
  readonly billedMs: number;
}

await runCommand({
  script: 'lab',
  verb: 'throttle',
  usage: '',
  about:
    'Compares ways to repeat calls while the store throttles: until when plants are stored, and what that costs.',
  options: {},
  notes: 'Exit codes: 0 all gates passed, 1 at least one failed, 2 the command is invalid.',
  async main() {
    const clock = new SimulatedClock();
    clock.install();
    Math.random = seeded(1);
    const all = await subjects();
    const byCase: Figures[][] = [];
    for (const throttle of CASES) byCase.push(await measure(clock, all, throttle));
    return report(
      all.map(({ name }) => name),
      all.map((_, index) => byCase.map((figures) => figures[index] as Figures)),
    );
  },
});

/** All subjects in one case, in turns. Each client begins at the same time for all. */
async function measure(
  clock: SimulatedClock,
  all: readonly Subject[],
  throttle: Throttle,
): Promise<Figures[]> {
  const starts = seeded(throttle.ms);
  const outcomes = all.map((): Outcome => ({ times: [], calls: 0, billedMs: 0 }));
  while (outcomes.some(({ times }) => times.length < PLANTS)) {
    const start = starts() * throttle.ms;
    for (const [index, subject] of all.entries())
      await new Client(clock, subject, throttle).send(start, PLANTS, outcomes[index] as Outcome);
  }
  return outcomes.map(({ times, calls, billedMs }) => {
    const sorted = times.toSorted((a, b) => a - b);
    const stored = sorted.filter(Number.isFinite).length;
    const [median = 0, p99 = 0] = [0.5, 0.99].map((share) => sorted[Math.ceil(PLANTS * share) - 1]);
    return { median, p99, calls: calls / stored, billedMs: billedMs / stored };
  });
}

/** Prints the tables. The last subject is what the others are compared with, the first is ours. @returns whether ours passes its gates */
function report(names: readonly string[], bySubject: readonly (readonly Figures[])[]): boolean {
  const peer = bySubject.at(-1) ?? [];
  const latest = (all: readonly Figures[]) =>
    Math.max(...all.map(({ p99 }, index) => p99 / (peer[index]?.p99 ?? Number.NaN)));
  const ofSums = (all: readonly Figures[], name: 'calls' | 'billedMs') => {
    const [ours, theirs] = [all, peer].map((each) => each.reduce((sum, figures) => sum + figures[name], 0));
    return (ours ?? Number.NaN) / (theirs ?? Number.NaN);
  };
  const print = (
    title: string,
    cell: (each: Figures) => string,
    ratio: (all: readonly Figures[]) => number,
  ) =>
    printTable([
      [title, ...CASES.map(({ ms, share }) => `${share === 1 ? 'all' : 'half'}, ${ms / 1_000} s`), 'ratio'],
      ...bySubject.map((all, index) => [names[index] ?? '', ...all.map(cell), ratio(all).toFixed(2)]),
    ]);
  print('stored after, s: median / p99', ({ median, p99 }) => [median, p99].map(seconds).join(' / '), latest);
  print(
    'calls',
    ({ calls }) => calls.toFixed(2),
    (all) => ofSums(all, 'calls'),
  );
  print(
    'billed, ms',
    ({ billedMs }) => billedMs.toFixed(0),
    (all) => ofSums(all, 'billedMs'),
  );
  const [ours = []] = bySubject;
  const gates: Gate[] = [
    ['p99, worst ratio', latest(ours), '<=', 1.1],
    ['billed, ratio of the sums', ofSums(ours, 'billedMs'), '<=', 0.7],
    ['calls, ratio of the sums', ofSums(ours, 'calls'), '<=', 1.27],
  ];
  return printGates(gates);
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? (ms / 1_000).toFixed(2) : 'never';
}
