import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Level } from 'level';
import { describe, expect, test } from 'vitest';
import { logState } from '../../local/leveldb-log.ts';
import { temporaryFolder } from '../support/local-process.ts';

/** The log that LevelDB writes for entries of these sizes, and where each ends. */
async function logOf(sizes: number[]): Promise<{ log: Buffer; ends: number[] }> {
  const folder = temporaryFolder();
  const store = new Level(folder);
  await store.open();
  const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.log')) ?? '');
  const ends = [0];
  for (const [index, size] of sizes.entries()) {
    await store.put(`key ${index}`, 'x'.repeat(size));
    ends.push(readFileSync(file).length);
  }
  await store.close();
  return { log: readFileSync(file), ends };
}

describe('a log of LevelDB', async () => {
  // The last two are in parts: the first entries fill about half of a block of 32,768 bytes.
  const { log, ends } = await logOf([...Array.from({ length: 200 }, (_, index) => index), 30_000, 90_000]);

  test('is whole as LevelDB wrote it, and when it ends with an entry', () => {
    expect(log.length).toBeGreaterThan(120_000);
    for (const end of ends) expect([end, logState(log.subarray(0, end))]).toEqual([end, 'whole']);
  });

  test('is cut when it ends anywhere else, or in zeros', () => {
    const within = [1, 6, 7, 8, 500, 20_000, 32_767, 32_769, 60_000, 65_536, 98_304, log.length - 1];
    expect(within.filter((end) => ends.includes(end))).toEqual([]);
    for (const end of within) expect([end, logState(log.subarray(0, end))]).toEqual([end, 'cut']);
    expect(logState(Buffer.concat([log, Buffer.alloc(3_000)]))).toBe('cut');
  });

  test('is never whole with one bit changed, and damaged if more follows', () => {
    for (let at = 0; at < 1_000; at += 1) {
      const changed = Buffer.from(log);
      changed.writeUInt8(log.readUInt8(at) ^ (1 << (at % 8)), at);
      expect([at, logState(changed)]).toEqual([at, 'damaged']);
    }
  });

  test('is damaged with zeros in its middle, or without the start or the end of an entry in parts', () => {
    const entry = ends[50] ?? 0;
    for (const damaged of [
      [log.subarray(0, entry), Buffer.alloc(100), log.subarray(entry)],
      [log.subarray(0, entry), Buffer.alloc(7), log.subarray(entry)],
      [log.subarray(32_768)],
      [log.subarray(0, 32_768), log],
    ])
      expect(logState(Buffer.concat(damaged))).toBe('damaged');
  });
});
