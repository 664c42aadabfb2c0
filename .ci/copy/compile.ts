import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Tree } from './manifest.ts';
import { writeTree } from './tree.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** Runs a program of Node in a folder with the packages of this repository, whatever packages it has itself. */
export function runIn(folder: string, program: string, ...args: string[]) {
  const modules = path.join(folder, 'node_modules');
  fs.symlinkSync(path.join(ROOT, 'node_modules'), modules, 'junction');
  const result = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' });
  fs.rmSync(modules);
  return result;
}

/** The first errors of the compiler in a folder, or undefined. */
export function compilerErrors(folder: string): string | undefined {
  const { status, stdout, stderr } = runIn(folder, path.join(ROOT, 'node_modules/typescript/bin/tsc'));
  return status === 0 ? undefined : `${stdout}${stderr}`.trim().split('\n').slice(0, 5).join('\n');
}

/** The first errors of the compiler in files that are nowhere yet. */
export function compilerErrorsOf(tree: Tree): string | undefined {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'compile-'));
  try {
    writeTree(folder, tree);
    // What follows from the contract of an operation.
    const { status, stderr } = runIn(folder, 'commands/generate.ts');
    if (status !== 0) return stderr;
    return compilerErrors(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
