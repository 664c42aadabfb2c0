import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The folder of the project. */
export const ROOT = path.join(import.meta.dirname, '../..');

/** The folder with the packages: in a workspace, that of its root. */
export const PACKAGES = path.resolve(createRequire(import.meta.url).resolve('aws-cdk/package.json'), '../..');

/** Reads a file of the project. */
export const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
