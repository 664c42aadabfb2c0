import { UsageError } from '../cli/command-line.ts';
import { print } from '../cli/print.ts';

/** One of several trials. */
export interface Trial {
  readonly name: string;
  readonly about: string;
  /** Prints what it finds. @throws Error with what is not as expected */
  run(): Promise<void>;
}

/** Runs trials one after the other: those whose names are chosen, or all. @returns whether each found what is expected */
export async function runTrials(trials: readonly Trial[], chosen: readonly string[]): Promise<boolean> {
  const unknown = chosen.find((name) => !trials.some((trial) => trial.name === name));
  if (unknown !== undefined) throw new UsageError(`There is no ${unknown}; --help shows the names.`);
  const failed: string[] = [];
  for (const { name, about, run } of trials) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    print(`\n${name}: ${about}`);
    await run().catch((error: Error) => {
      failed.push(name);
      print(`FAILED: ${error.message}`);
    });
  }
  print(failed.length === 0 ? '\nAll is as expected.' : `\nNot as expected: ${failed.join(', ')}`);
  return failed.length === 0;
}
