import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadCases } from '../../contract/cases.ts';
import { OPENAPI } from '../../contract/openapi.ts';
import { LOG, RUNBOOK } from '../../infra/runbook.ts';
import { settingsSchema } from '../../infra/stage-settings.ts';
import type { Sources } from './surface.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Reads where the surface is described. Runs the compiler on the client, which takes a second. */
export async function readSources(): Promise<Sources> {
  return {
    openapi: OPENAPI,
    cases: loadCases(),
    clientPackage: readJson('client/package.json'),
    version: readJson('package.json').version,
    declarations: await declarationsOfClient(),
    log: LOG,
    runbook: RUNBOOK,
    settings: settingsSchema(),
  };
}

async function declarationsOfClient(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'plant-store-client-'));
  try {
    const compiler = fileURLToPath(import.meta.resolve('typescript/package.json'));
    const options = ['--project', 'client/tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder];
    await promisify(execFile)(process.execPath, [path.join(compiler, '../bin/tsc'), ...options], {
      cwd: ROOT,
    });
    const files = globSync('**/*.d.ts', { cwd: folder }).sort();
    return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readJson(file: string) {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
}
