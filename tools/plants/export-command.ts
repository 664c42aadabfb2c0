import { EXIT } from '../../terminal/command-line.ts';
import { withInterrupt } from '../../terminal/interrupt.ts';
import { OwnFile } from '../../terminal/own-file.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { printError, printJson } from '../../terminal/print.ts';
import { progressBar } from '../../terminal/progress.ts';
import { Speed } from '../../terminal/speed.ts';
import { explain } from '../stage/aws.ts';
import { type Exported, exportPlants } from './export-plants.ts';
import { plantLine } from './plant-line.ts';
import { estimatedCount, type Plants, readPlant } from './plants-table.ts';
import { ReadRate } from './read-rate.ts';

/**
 * Exports all plants, and says on standard error how many they were.
 * @param options.file undefined or - for standard output
 * @param options.unitsPerSecond of reads; undefined for the stage's ceiling
 * @throws PlainError if the export stopped early
 */
export async function exportCommand(
  plants: Plants,
  options: { file: string | undefined; segments: number; unitsPerSecond: number | undefined },
): Promise<void> {
  const { client, table, ceiling, where } = plants;
  const { segments, unitsPerSecond = ceiling } = options;
  const total = (await estimatedCount(plants)) || undefined;
  const { name, write, close } = outputTo(options.file);
  const done: Exported = { plants: 0, others: 0, firstOther: undefined };
  const bar = progressBar(total);
  const speed = new Speed();
  const onPage = () =>
    bar(done.plants, `plants${total ? ' (estimated)' : ''}, ${speed.words(done.plants, done.plants, total)}`);
  const rate = new ReadRate(unitsPerSecond);
  try {
    await withInterrupt('The export was interrupted.', (stop) =>
      exportPlants({ client, table, segments, rate, write, onPage, stop }, done),
    );
    bar();
    close();
  } catch (error) {
    bar();
    const reason = explain(error).replace(/[^.]$/, '$&.');
    throw new PlainError(
      `${where}: ${reason} In ${name} is only a part of the plants (${done.plants}), up to a whole line.`,
    );
  }
  report(done, name);
}

function report({ plants, others, firstOther }: Exported, name: string): void {
  printError(`Plants in ${name}: ${plants}. Those stored or deleted meanwhile may be among them or not.`);
  if (others === 0) return;
  printError(`Left out, because they are not plants: ${others} items, the first with the id ${firstOther}.`);
  process.exitCode = EXIT.failed;
}

/**
 * Exports one plant.
 * @throws PlainError if there is none
 */
export async function exportOne(
  plants: Plants,
  { file, id }: { file: string | undefined; id: string },
): Promise<void> {
  const line = plantLine(await readPlant(plants, id));
  if (line === undefined) throw new PlainError(`${plants.where}: the item ${id} is not a plant.`);
  const { write, close } = outputTo(file);
  await write(`${line}\n`);
  close();
}

/** Where the lines go. A file is replaced when its first lines come, so that an export that cannot begin leaves the earlier one. */
function outputTo(file: string | undefined) {
  if (file === undefined || file === '-')
    return { name: 'standard output', write: printJson, close: () => undefined };
  const output = new OwnFile(file);
  return {
    name: file,
    write: (lines: string) => {
      output.begin();
      output.append(lines);
    },
    close: () => {
      output.begin();
      output.close();
    },
  };
}
