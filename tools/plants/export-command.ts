import { explain } from '../../infra/deployed/aws.ts';
import { EXIT } from '../../terminal/command-line.ts';
import { withInterrupt } from '../../terminal/interrupt.ts';
import { OwnFile } from '../../terminal/own-file.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { jsonOutput, printError } from '../../terminal/print.ts';
import { progressBar } from '../../terminal/progress.ts';
import { Speed } from '../../terminal/speed.ts';
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
  const exported = withInterrupt('The export was interrupted.', (stop) =>
    exportPlants({ client, table, segments, rate, write, onPage, stop }, done),
  ).finally(bar);
  await exported.catch((error) => failedAt(plants, output, done.plants, error));
  output.close(true);
  report(done, output.name);
}

/** @throws PlainError with what the output has now, as far as that is known */
function failedAt({ where }: Plants, output: Output, plants: number, error: unknown): never {
  const reason = explain(error).replace(/[^.]$/, '$&.');
  let part = `In ${output.name} is only a part of the plants (${plants}), up to a whole line.`;
  if (plants === 0) part = `No plant was written to ${output.name}.`;
  try {
    output.close(false);
  } catch {
    part = `What ${output.name} has now is not known; its last line may be cut.`;
  }
  throw new PlainError(`${where}: ${reason} ${part}`);
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
  const output = outputTo(file);
  const append = async () => output.append(`${line}\n`);
  await append().catch((error) => failedAt(plants, output, 0, error));
  output.close(true);
}

/** Where the lines go. */
interface Output {
  readonly name: string;
  append(lines: string): void | Promise<void>;
  /** @throws an error unless the lines so far are there */
  close(isComplete: boolean): void;
}

/** A file is replaced when its first lines come, so that an export that cannot begin leaves the earlier one. */
function outputTo(file: string | undefined): Output {
  if (file === undefined || file === '-') return jsonOutput();
  const output = new OwnFile(file);
  return {
    name: file,
    append: (lines) => {
      output.begin();
      output.append(lines);
    },
    close: (isComplete) => {
      if (isComplete) output.begin();
      output.close({ keepsEmpty: isComplete });
    },
  };
}
