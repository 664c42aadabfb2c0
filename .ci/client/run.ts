/**
 * `npx node .ci/client/run.ts`: installs other people's tools on first use, then tries the packed client in them. Linux on x64: in place of
 * packages with a binary for each platform, package.json has those binaries, also by its `overrides`.
 */
import { chmodSync, cpSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../test/support/project.ts';
import { folderOf, installPackages } from '../installation.ts';
import { runTrial } from '../run-trial.ts';

const about =
  'Tries the packed client in projects of its users: compilers, test runners, bundlers and runtimes.';
await runTrial('client', about, '*.trial.ts', () => {
  const folder = folderOf('client-projects');
  const tools = path.join(folder, 'node_modules');
  const packages = { folder, from: import.meta.dirname, args: ['--ignore-scripts'] };
  if (!installPackages(packages, 'Linux on x64, and the npm registry')) return;
  // Install scripts of other packages would do this.
  for (const program of ['@deno/linux-x64-glibc/deno', '@oven/bun-linux-x64/bin/bun'])
    chmodSync(path.join(tools, program), 0o755);
  // Vitest loads the jsdom beside it. What it needs itself, it finds in the project's own node_modules, above this folder.
  cpSync(path.join(ROOT, 'node_modules/vitest'), path.join(tools, 'vitest'), { recursive: true });
});
