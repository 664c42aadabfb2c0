import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { shell } from '../process.ts';
import { importAndExport } from './plants.ts';
import { HARD, SAMPLES } from './samples.ts';

/** A way through a tool; tools.yaml explains the fields. */
export interface Way {
  readonly way: string;
  readonly run: string;
  readonly writes: string;
  readonly differs?: string;
  readonly loses?: readonly string[];
}

/**
 * Takes exports through a tool, and what it writes of the hard plants through an import and an export.
 * @param tool the folder of its installation
 * @param samples the folder of the exports
 * @returns the lines in which the hard plants differ, and the samples of which the tool loses the text
 * @throws Error if the tool fails on the hard plants, or one of our own commands does
 */
export async function tryWay({ run, writes }: Way, tool: string, samples: string) {
  const written = async (sample: string): Promise<string> => {
    const folder = temporaryFolder();
    for (const name of ['plants.ndjson', 'plants.csv'])
      copyFileSync(path.join(samples, sample, name), path.join(folder, name));
    await inTool(run, folder, tool);
    const file = path.join(folder, writes);
    if (!existsSync(file)) throw new Error(`It has written no ${writes}.`);
    return file;
  };

  const file = await written('hard');
  if (writes === 'ids.txt') return { differs: differences(HARD.map(idOf), linesOf(file)), loses: [] };
  const { exported, refused } = await importAndExport(file);
  const loses: string[] = [];
  for (const [name, { text }] of Object.entries(SAMPLES)) {
    const lines = await written(name).then(linesOf, () => undefined);
    if (!lines) loses.push(`${name} with an error`);
    else if (!lines.some((line) => line.includes(text))) loses.push(name);
  }
  return { differs: [...differences(HARD, exported), ...refused], loses };
}

/** Runs commands in a folder, with the programs of a tool. */
export function inTool(commands: string, folder: string, tool: string): Promise<string> {
  const programs = ['bin', 'venv/bin', 'node_modules/.bin'].map((name) => path.join(tool, name));
  const env = {
    PATH: [...programs, process.env.PATH].join(':'),
    NODE_PATH: path.join(tool, 'node_modules'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  };
  return shell(commands, { cwd: folder, env });
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

function idOf(plant: string): string {
  return /-?\d+/.exec(plant)?.[0] ?? '';
}

/** The lines that are only in the first list, after a -, and those that are only in the second, after a +. */
function differences(before: readonly string[], after: readonly string[]): string[] {
  const only = (lines: readonly string[], others: readonly string[]) =>
    lines.filter((line) => !others.includes(line)).sort();
  return [...only(before, after).map((line) => `-${line}`), ...only(after, before).map((line) => `+${line}`)];
}
