/** What `npm run mutation` runs: installs this folder's packages on first use, then starts run.ts. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

if (!existsSync(path.join(import.meta.dirname, 'node_modules')))
  execFileSync('npm', ['ci', '--prefix', import.meta.dirname], { stdio: 'inherit' });
await import('./run.ts');
