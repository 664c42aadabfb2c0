import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the project. */
export const ROOT = path.join(import.meta.dirname, '../..');

/** Reads a file of the project. */
export const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
