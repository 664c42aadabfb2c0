/** `npx node .ci/client/run.ts`: installs other people's tools on first use, then tries the packed client in them. Linux on x64. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../test/support/project.ts';
import { folderOf, installOrFail } from '../installation.ts';
import { runTrial } from '../run-trial.ts';

const about =
  'Tries the packed client in projects of its users: compilers, Nodes, test runners and bundlers.';
await runTrial('client', about, '*.trial.ts', () => {
  const folder = folderOf('client-projects');
  if (existsSync(path.join(folder, 'node_modules/.package-lock.json'))) return;
  console.info('Installing compilers, Nodes, test runners and bundlers: 1 GB …');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(path.join(import.meta.dirname, file), path.join(folder, file));
  cpSync(path.join(ROOT, '.npmrc'), path.join(folder, '.npmrc'));
  installOrFail('Linux on x64, and the npm registry', () =>
    execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', folder], { stdio: 'pipe' }),
  );
});
