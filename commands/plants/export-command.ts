import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { jsonOutput, printError } from '../../cli/print.ts';
import { progressBar } from '../../cli/progress.ts';
import { explain } from '../shared/aws.ts';
import { OwnFile } from '../shared/own-file.ts';
import { Speed } from '../shared/speed.ts';
import { type Exported, exportPlants } from './export-plants.ts';
import { estimatedCount, noneOf, type Plants } from './plants-table.ts';
import { readRate } from './read-rate.ts';

/**
 * Exports plants, and says on standard error how many they were.
 * @param options.file undefined or - for standard output
 * @param options.ids of the plants; undefined for all
 * @param options.unitsPerSecond of reads; undefined for the stage's ceiling
 * @throws PlainError if the export stopped early, or there is none of the plants
 */
export async function exportCommand(
  plants: Plants,
  options: {
    file: string | undefined;
    ids: readonly string[] | undefined;
    parallel: number;
    unitsPerSecond: number | undefined;
  },
): Promise<void> {
  const { file, ids, parallel, unitsPerSecond = plants.ceiling } = options;
  const total = ids?.length ?? ((await estimatedCount(plants)) || undefined);
  const output = file === undefined || file === '-' ? jsonOutput() : new OwnFile(file);
  const done: Exported = { plants: 0, others: 0, firstOther: undefined, absent: 0 };
  const bar = progressBar(total);
  const speed = new Speed();
  const onPage = () =>
    bar(
      done.plants,
      `plants${total && !ids ? ' (estimated)' : ''}, ${speed.words(done.plants, done.plants, total)}`,
    );
  const rate = readRate(unitsPerSecond);
  const write = (lines: string) => output.append(lines);
  try {
    await withInterrupt('The export was interrupted.', (stop) =>
      exportPlants({ plants, ids, parallel, rate, write, onPage, stop }, done),
    ).finally(bar);
    if (done.absent > 0 && done.absent === ids?.length) throw noneOf(plants, ids);
    output.close();
  } catch (error) {
    throw new PlainError(`${sentence(error, plants)} ${leftOf(output, done)}`);
  }
  report(done, output.name, ids !== undefined);
}

/** What a failure is, with where and a full stop. */
export function sentence(error: unknown, { where }: Plants): string {
  const reason = explain(error).replace(/[^.]$/, '$&.');
  return reason.startsWith(where) ? reason : `${where}: ${reason}`;
}

/** What an output has after a failure. */
function leftOf(output: ReturnType<typeof jsonOutput>, { plants }: Exported): string {
  if (!(output instanceof OwnFile))
    return `Of the plants, ${plants} were written to ${output.name}; the last line may be cut.`;
  output.remove();
  return `${output.name} is as it was before; the ${plants} plants that were read are discarded.`;
}

function report({ plants, others, firstOther, absent }: Exported, name: string, hasIds: boolean): void {
  const moving = hasIds ? '' : ' Those stored or deleted during the export may or may not be included.';
  printError(`Plants in ${name}: ${plants}.${moving}`);
  if (absent > 0) printError(`Not there: ${absent}.`);
  if (others === 0) return;
  printError(
    `An import would refuse ${others}, which are no plants of this version: the first is ${firstOther}.`,
  );
}
