import { existsSync, readFileSync } from 'node:fs';
import { spawnCommand, startLocalProcess } from '../../test/support/local-process.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';

/**
 * Imports a file into an empty store, and exports what was stored.
 * @param csv a file for an export in CSV, too
 * @returns the lines of the export, and why the import refused lines, or stopped
 * @throws Error if an export fails
 */
export async function importAndExport(file: string, csv?: string) {
  const data = temporaryFolder();
  const service = await startLocalProcess(data);
  const run = (name: string, ...args: string[]) => spawnCommand(name, [...args, '--data', data]).ended;
  try {
    const { code, out, err } = await run('import', file);
    const refused = code === 0 ? [] : reasons(`${file}.refused.ndjson`, err);
    // An export of no plants is an error.
    if (!/\bstored +[1-9]/.test(out)) return { exported: [], refused };
    const exports = [await run('plants', 'export'), ...(csv ? [await run('plants', 'export', csv)] : [])];
    for (const ended of exports) if (ended.code !== 0) throw new Error(`An export failed: ${ended.err}`);
    return { exported: exports[0]?.out.trimEnd().split('\n') ?? [], refused };
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
