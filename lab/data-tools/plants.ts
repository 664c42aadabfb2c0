import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startCommand, startLocalProcess } from '../../test/support/local-process.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';

/**
 * Imports a file into an empty store, and exports what was stored.
 * @param folder for the exports
 * @param names of the exports; their endings say the format, and the first is NDJSON
 * @returns the lines of the first export, and why the import refused lines, or stopped
 * @throws Error if an export fails
 */
export async function importAndExport(
  file: string,
  folder = temporaryFolder(),
  names: readonly [string, ...string[]] = ['plants.ndjson'],
) {
  const data = temporaryFolder();
  const service = await startLocalProcess(data);
  try {
    const { code, out, err } = await startCommand('import', [file, '--data', data]).ended;
    const refused = code === 0 ? [] : reasons(`${file}.refused.ndjson`, err);
    // An export of no plants is an error.
    if (!/\bstored +[1-9]/.test(out)) return { exported: [], refused };
    for (const name of names) {
      const ended = await startCommand('plants', ['export', path.join(folder, name), '--data', data]).ended;
      if (ended.code !== 0) throw new Error(`The export to ${name} failed: ${ended.err}`);
    }
    const exported = readFileSync(path.join(folder, names[0]), 'utf8').trimEnd().split('\n');
    return { exported, refused };
  } finally {
    await service.end();
  }
}

/** Each reason why lines were refused, with their number; without any, why the import stopped. */
function reasons(refusedFile: string, err: string): string[] {
  if (!existsSync(refusedFile)) return [`stopped: ${err.trim()}`];
  const lines = readFileSync(refusedFile, 'utf8').trimEnd().split('\n');
  const all = lines.map((line) => {
    const { error, message } = JSON.parse(line).refused;
    return `${error} ${message}`;
  });
  const groups = [...Map.groupBy(all, (reason) => reason)];
  return groups.map(([reason, { length }]) => `${length} refused: ${reason}`).sort();
}
