import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { PlainError } from '../../cli/plain-error.ts';
import { renamer } from '../rename.ts';
import type { Tree } from './manifest.ts';

/** The file in which a copy says how it was made. */
const RECORD = '.ci/copy.json';

const SCHEMA = z.strictObject({
  name: z.string(),
  plural: z.string(),
  /** Of a name: one, another and a third. */
  examples: z.array(z.string()),
  /** An id, if ids are texts. */
  key: z.string().optional(),
  /** The property of the list, if it is not `status`. */
  listBy: z.string().optional(),
  /** The commit of this repository, if it was a clone. */
  commit: z.string().optional(),
  parts: z.array(z.string()),
});
export type CopyRecord = z.infer<typeof SCHEMA>;

/** @throws PlainError if the folder is no copy */
export function readRecord(folder: string): CopyRecord {
  const file = path.join(folder, RECORD);
  if (!fs.existsSync(file)) throw new PlainError(`${folder} is no copy: it has no ${RECORD}.`);
  const { success, data, error } = SCHEMA.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')));
  if (success) return data;
  throw new PlainError(`${file}: ${z.prettifyError(error)}`);
}

export function writeRecord(folder: string, record: CopyRecord): void {
  fs.writeFileSync(path.join(folder, RECORD), `${JSON.stringify(record, undefined, 2)}\n`);
}

/** The commit of a clone, or undefined: an archive has none, and what it lies in is another repository. */
export function commitOf(folder: string): string | undefined {
  if (!fs.existsSync(path.join(folder, '.git'))) return undefined;
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
}

/** Our version, where it is not a package's. The copy begins anew. */
const VERSION = /(?<![\w.^=])1\.0\.0\b/g;

/** All files of this repository, as a copy names what it stores. */
export function renamed(house: Tree, { name, plural, examples }: CopyRecord): Map<string, string> {
  const rename = renamer(name, plural, examples);
  return new Map(
    [...house].map(([file, text]) => {
      const anew = file.endsWith('lock.json') ? text : text.replaceAll(VERSION, '0.1.0');
      const content =
        file === 'CHANGELOG.md' ? anew.replace(/^## [\s\S]*/m, '## [0.1.0] - unreleased\n') : anew;
      return [rename(file), rename(content)];
    }),
  );
}
