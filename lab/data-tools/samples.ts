import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { importAndExport } from './plants.ts';

/** The plants that are hard to keep, as an export writes them. */
export const HARD = readFileSync(new URL('plants.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

const FERN = { name: 'Fern' };

/** Exports in which tools lose something else, and the text that must still be in what they write. */
export const SAMPLES: Readonly<Record<string, { text: string; plants: { name: string; tag?: string }[] }>> = {
  // The first plants have no tag.
  late: { text: 'rare', plants: [...Array(60_000).fill(FERN), { name: 'Fern', tag: 'rare' }] },
  // All texts look like numbers.
  digits: {
    text: '007',
    plants: [
      { name: '42', tag: '007' },
      { name: '43', tag: '008' },
    ],
  },
};

/** Writes each export in each format into a folder of its name; that of the hard plants by our own commands. */
export async function writeSamples(folder: string): Promise<void> {
  for (const [name, { plants }] of Object.entries(SAMPLES)) {
    mkdirSync(path.join(folder, name), { recursive: true });
    const lines = plants.map((plant, n) => `${JSON.stringify({ id: n + 1, ...plant })}\n`);
    const rows = plants.map(({ name, tag }, n) => `${n + 1},"${name}",${tag ? `"${tag}"` : ''}\n`);
    writeFileSync(path.join(folder, name, 'plants.ndjson'), lines.join(''));
    writeFileSync(path.join(folder, name, 'plants.csv'), `id,name,tag\n${rows.join('')}`);
  }
  const hard = path.join(folder, 'hard');
  mkdirSync(hard);
  const file = path.join(hard, 'plants.ndjson');
  const write = (lines: readonly string[]) => writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  write(HARD);
  const { exported } = await importAndExport(file, path.join(hard, 'plants.csv'));
  if (String(exported.toSorted()) !== String(HARD.toSorted()))
    throw new Error('The plants differ before a tool has had them.');
  // In the order of an export.
  write(exported);
}
