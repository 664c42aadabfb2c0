/** One small break of the function. */
export interface Mutant {
  readonly id: string;
  /** The file that it breaks, from the project's folder. */
  readonly file: string;
  /** Where, from 1. */
  readonly line: number;
  /** Which kind of break, by Stryker's names. */
  readonly kind: string;
  readonly original: string;
  readonly replacement: string;
}

/** A mutant, and the tests that may notice it. */
export interface Task {
  readonly id: string;
  /** The file that it breaks; absent without a mutant. */
  readonly file?: string;
  readonly tests: readonly string[];
  /** Whether it is in what a module does while it is loaded, so that our modules must be loaded anew. */
  readonly reload: boolean;
  /** How often the broken place may be passed before the mutant counts as an endless loop. */
  readonly hitLimit: number;
}

/** What one Vitest process is to do. The code of all mutants is loaded once; a switch says which one is active. */
export interface Plan {
  /** The files of the function with all mutants in them, by their path from the project's folder. */
  readonly code: Record<string, string>;
  readonly testFiles: readonly string[];
  readonly tasks: readonly Task[];
  /** Where each task's {@link Result} is appended, one JSON text a line. */
  readonly results: string;
}

/** What became of one task. */
export interface Result {
  readonly id: string;
  /** The test that noticed; absent when none did. */
  readonly killedBy?: string;
  /** For the run without a mutant: how long each good test took, in milliseconds, what it covers, and what failed. */
  readonly durations?: Record<string, number>;
  readonly coverage?: Coverage;
  readonly failed?: readonly string[];
}

/** How often each mutant's place was passed: by each test, and while modules were loaded. */
export interface Coverage {
  readonly static: Record<string, number>;
  readonly perTest: Record<string, Record<string, number>>;
}

/** What counts as the current test while tests are set up. */
export const SET_UP = 'set-up';

/** The task without a mutant, which finds out what each test covers. */
export const NO_MUTANT = 'none';

/** The name of the test that stands for a test file which the active mutant keeps from being loaded. */
export const DOES_NOT_LOAD = 'does not load';

/** The switch that Stryker's instrumented code looks at. */
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

/** Makes a task's mutant the active one. */
export function activate({ id, hitLimit }: Task): void {
  const state = mutantSwitch();
  state.activeMutant = id === NO_MUTANT ? undefined : id;
  state.currentTestId = undefined;
  state.hitCount = 0;
  state.hitLimit = hitLimit;
}
