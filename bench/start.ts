/** What `npm run bench` runs: installs the bench's own packages on first use, then measures. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  execFileSync('npm', ['ci', '--prefix', import.meta.dirname], { stdio: 'inherit' });
}
await import('./bench.ts');
