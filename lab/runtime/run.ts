/** What `npm run lab -- runtime` runs: builds AWS's runtime client on first use, then runs the trial. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installOrSkip, ROOT } from '../installation.ts';
import { CLIENT_NEEDS, installClient } from './install-client.ts';

installOrSkip(CLIENT_NEEDS, installClient);
const config = path.join(import.meta.dirname, 'vitest.config.ts');
const vitest = [path.join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config];
const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
