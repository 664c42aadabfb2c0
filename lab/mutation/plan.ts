/** One small fault in the code of a target. */
export interface Mutant {
  readonly id: string;
  /** The mutated file, relative to the project folder. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The first of the mutated lines, without the whitespace around it. */
  readonly code: string;
  /** Stryker's name of the mutator. */
  readonly kind: string;
  readonly original: string;
  readonly replacement: string;
}

/** A mutant, and the test files that may detect it. */
export interface Task {
  readonly id: string;
  /** The mutated file; absent without a mutant. */
  readonly file?: string;
  readonly testFiles: readonly string[];
  /** The only tests to run; absent: all, because a test may need what an earlier one of its file left. */
  readonly tests?: readonly string[] | undefined;
  /** Whether the mutant is in code that runs on import, so that our modules must be loaded again. */
  readonly reload: boolean;
  /** How many times the mutated code may run in each test, and in setup, before the mutant counts as an endless loop. */
  readonly hitLimits: Record<string, number>;
}

/** The work of one Vitest process. The code of all mutants is loaded once; a switch selects the active one. */
export interface Plan {
  /** The project folder. */
  readonly root: string;
  /** The code of the target's files with all mutants, by path relative to the project folder. */
  readonly code: Record<string, string>;
  /** Tests that fail without any mutant. */
  readonly leftOut: readonly string[];
  /** The names of tests that are not run contain this; absent: all are run. */
  readonly skips?: string | undefined;
  readonly tasks: readonly Task[];
  /** The time limit of a test, in milliseconds. */
  readonly testMs: number;
  /** The file to which each process that a test started appends its {@link ProcessCoverage}, one JSON object per line. */
  readonly processes: string;
  /** The file to which a byte is appended for each test, hook and test file that begins or ends. */
  readonly signs: string;
  /** The file to which each task's {@link Result} is appended, one JSON object per line. */
  readonly results: string;
}

/** The result of one task. */
export interface Result {
  readonly id: string;
  /** The test that detected the mutant; absent if none did. */
  readonly killedBy?: string | undefined;
  /** Whether that test did not fail but hang until its time limit. */
  readonly isTimeout?: boolean;
  /** For the run without a mutant: what each test covers, and which tests failed. */
  readonly coverage?: Coverage;
  readonly failed?: readonly string[];
  /** For the run without a mutant: the time of the slowest test of each file, in milliseconds. */
  readonly slowest?: Readonly<Record<string, number>>;
}

/** How many times each mutant's code ran: in each test, and on import. */
export interface Coverage {
  readonly static: Record<string, number>;
  readonly perTest: Record<string, Record<string, number>>;
}

/** What a process that a test started has run. */
export interface ProcessCoverage {
  readonly test: string;
  readonly hits: Record<string, number>;
}

/** The id of the current test during setup and import. */
export const SET_UP = 'setup';

/** The task without a mutant, which measures what each test covers. */
export const NO_MUTANT = 'none';

/** Stands for the test that detected a mutant, if an unhandled error did; `npm test` fails on one too. */
export const UNHANDLED = 'an unhandled error';

/** The name of a test that represents a test file that cannot be loaded with the active mutant. */
export const DOES_NOT_LOAD = 'does not load';

/** The switch that Stryker's instrumented code reads. */
export interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: Coverage;
}

/** The switch of this process. */
export function mutantSwitch(): Switch {
  const holder = globalThis as { __stryker__?: Switch };
  holder.__stryker__ ??= {};
  return holder.__stryker__;
}

/** The variable from which Stryker's instrumented code reads the active mutant, in a process that a test started. */
const ACTIVE = '__STRYKER_ACTIVE_MUTANT__';

/** Activates a task's mutant, with its limit in setup. */
export function activate(task: Task): void {
  mutantSwitch().activeMutant = task.id === NO_MUTANT ? undefined : task.id;
  if (task.id === NO_MUTANT) delete process.env[ACTIVE];
  else process.env[ACTIVE] = task.id;
  enterTest(task, SET_UP);
  mutantSwitch().currentTestId = undefined;
}

/** Counts the hits of the mutated code from here on for a test, or for setup. */
export function enterTest({ hitLimits }: Task, test: string): void {
  Object.assign(mutantSwitch(), { currentTestId: test, hitCount: 0, hitLimit: hitLimits[test] ?? 0 });
  process.env.MUTATION_TEST = test;
}
