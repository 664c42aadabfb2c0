import { explain } from '../../operate/deployed/aws.ts';
import { EXIT } from '../../terminal/command-line.ts';
import { withInterrupt } from '../../terminal/interrupt.ts';
import { OwnFile } from '../../terminal/line-file.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { jsonOutput, printError } from '../../terminal/print.ts';
import { progressBar } from '../../terminal/progress.ts';
import { Speed } from '../shared/speed.ts';
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
  const { client, table, ceiling } = plants;
  const { segments, unitsPerSecond = ceiling } = options;
  const total = (await estimatedCount(plants)) || undefined;
  const output = outputTo(options.file);
  const done: Exported = { plants: 0, others: 0, firstOther: undefined };
  const bar = progressBar(total);
  const speed = new Speed();
  const onPage = () =>
    bar(done.plants, `plants${total ? ' (estimated)' : ''}, ${speed.words(done.plants, done.plants, total)}`);
  const rate = new ReadRate(unitsPerSecond);
  const write = (lines: string) => output.append(lines);
  await fill(plants, output, done, () =>
    withInterrupt('The export was interrupted.', async (stop) => {
      await exportPlants({ client, table, segments, rate, write, onPage, stop }, done);
      // In place of an earlier export, also if there are no plants.
      await write('');
    }).finally(bar),
  );
  report(done, output.name);
}

/** Does the work that fills an output. @throws PlainError with what the output has now, as far as that is known */
async function fill(
  { where }: Plants,
  output: Output,
  done: { readonly plants: number },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = explain(error).replace(/[^.]$/, '$&.');
    let part = `In ${output.name} is only a part of the plants (${done.plants}), up to a whole line.`;
    if (done.plants === 0) part = `No plant was written to ${output.name}.`;
    try {
      output.close();
    } catch {
      part = `What ${output.name} has now is not known; its last line may be cut.`;
    }
    throw new PlainError(`${where}: ${reason} ${part}`);
  }
  output.close(true);
}

function report({ plants, others, firstOther }: Exported, name: string): void {
  printError(
    `Plants in ${name}: ${plants}. Those stored or deleted during the export may or may not be included.`,
  );
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
  const output = outputTo(file);
  await fill(plants, output, { plants: 0 }, async () => output.append(`${line}\n`));
}

/** Where the lines go. */
interface Output {
  readonly name: string;
  append(lines: string): void | Promise<void>;
  /** @throws an error unless the lines so far are there */
  close(keepsEmpty?: boolean): void;
}

function outputTo(file: string | undefined): Output {
  return file === undefined || file === '-' ? jsonOutput() : new OwnFile(file);
}
