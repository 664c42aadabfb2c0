import { appendFileSync, readFileSync } from 'node:fs';
import { TestRunner } from 'vitest';
import {
  type Coverage,
  enterTest,
  mutantSwitch,
  NO_MUTANT,
  type Plan,
  type Result,
  SET_UP,
  type Task,
  UNHANDLED,
} from './plan.ts';

type Suite = Parameters<TestRunner['onBeforeRunSuite']>[0];
type Test = Parameters<TestRunner['onBeforeRunTask']>[0];

const plan = JSON.parse(readFileSync(process.env.MUTATION_PLAN as string, 'utf8')) as Plan;
const tasks = new Map(plan.tasks.map((task) => [task.id, task]));

/** Vitest's message for a test or a hook that does not end. */
const TIMED_OUT = /^(Test|Hook) timed out in \d+ms/;

/** For each mutant, runs the tests that may detect it, until one does. */
export default class MutationRunner extends TestRunner {
  #killedBy: string | undefined;
  #isTimeout = false;
  readonly #failed: string[] = [];
  /** How many mutants each test file has detected. */
  readonly #kills: Record<string, number> = {};
  /** The time of the slowest test of each test file, in milliseconds. */
  readonly #slowest: Record<string, number> = {};

  constructor(...options: ConstructorParameters<typeof TestRunner>) {
    super(...options);
    const onUnhandled = () => {
      this.#killedBy ??= UNHANDLED;
    };
    process.on('unhandledRejection', onUnhandled);
    process.on('uncaughtException', onUnhandled);
  }

  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    appendFileSync(plan.signs, '.');
    if (isMutant(suite)) {
      this.#killedBy = undefined;
      this.#isTimeout = false;
      // Tests that detected the last mutants of a file will probably detect the next one.
      suite.tasks.sort((a, b) => (this.#kills[b.name] ?? 0) - (this.#kills[a.name] ?? 0));
    }
    // The outermost suite is the driver's file.
    if (suite.suite) enterTest(taskOf(suite), SET_UP);
    if (this.#isKilled(suite)) suite.mode = 'skip';
    await super.onBeforeRunSuite(suite);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    appendFileSync(plan.signs, '.');
    const id = testIdOf(test);
    const { tests } = taskOf(test);
    const isSkipped = plan.leftOut.includes(id) || (plan.skips !== undefined && id.includes(plan.skips));
    if (this.#isKilled(test) || isSkipped || tests?.includes(id) === false) test.mode = 'skip';
    enterTest(taskOf(test), id);
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: Test): void {
    appendFileSync(plan.signs, '.');
    enterTest(taskOf(test), SET_UP);
    const file = pathOf(test)[1] ?? '';
    this.#slowest[file] = Math.max(this.#slowest[file] ?? 0, test.result?.duration ?? 0);
    if (test.result?.state === 'fail') {
      this.#kill(testIdOf(test), test.result.errors);
      this.#kills[file] = (this.#kills[file] ?? 0) + 1;
      this.#failed.push(testIdOf(test));
    }
    super.onAfterRunTask(test);
  }

  override async onAfterRunSuite(suite: Suite): Promise<void> {
    appendFileSync(plan.signs, '.');
    const errors = suite.result?.errors ?? [];
    if (errors.length > 0) this.#kill(`setup of ${suite.name}`, errors);
    if (isMutant(suite)) this.#report(suite.name);
    await super.onAfterRunSuite(suite);
  }

  #isKilled(task: Suite | Test): boolean {
    return this.#killedBy !== undefined && mutantOf(task) !== NO_MUTANT;
  }

  #kill(by: string, errors: readonly { readonly message: string }[] = []): void {
    if (this.#killedBy === undefined) this.#isTimeout = errors.some(({ message }) => TIMED_OUT.test(message));
    this.#killedBy ??= by;
  }

  #report(id: string): void {
    const coverage = mutantSwitch().mutantCoverage as Coverage;
    const result: Result =
      id === NO_MUTANT
        ? { id, coverage, failed: this.#failed, slowest: this.#slowest }
        : { id, killedBy: this.#killedBy, isTimeout: this.#isTimeout };
    appendFileSync(plan.results, `${JSON.stringify(result)}\n`);
  }
}

/** The names of a task and its parents, outermost first: mutant, test file, and so on. */
function pathOf(task: Suite | Test): string[] {
  const names: string[] = [];
  for (let each: Suite | Test | undefined = task; each && each !== each.file; each = each.suite)
    names.unshift(each.name);
  return names;
}

const mutantOf = (task: Suite | Test) => pathOf(task)[0];
const taskOf = (task: Suite | Test) => tasks.get(mutantOf(task) ?? '') as Task;
const testIdOf = (task: Suite | Test) => pathOf(task).slice(1).join(' > ');
const isMutant = (suite: Suite) => pathOf(suite).length === 1;
