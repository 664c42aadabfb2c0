/** What `npm run test:runtime` runs: builds AWS's runtime client on first use, then runs the trial. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALLED, RUNTIME_CLIENT } from './runtime-client.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The packages of Debian that the build needs; `.ci/run` installs them. */
const PACKAGES = 'cmake g++ make python3 xz-utils';

const reason = build();
if (reason === undefined) process.exitCode = test();
else console.info(`${process.env.CI ? 'Failed' : 'Skipped'}: ${reason}`);
if (reason !== undefined && process.env.CI) process.exitCode = 1;

/** @returns why it cannot be built here; undefined if it is built */
function build(): string | undefined {
  if (existsSync(path.join(path.dirname(RUNTIME_CLIENT), 'rapid-client.node'))) return undefined;
  if (process.platform !== 'linux') return "AWS's runtime client can be built on Linux only.";
  console.info("Building AWS's runtime client, which takes a minute or more …");
  // Without the folder of Node's headers, node-gyp would download them; the package of the Node binary has them.
  const headers = path.resolve(process.execPath, '../..');
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(path.join(import.meta.dirname, file), path.join(INSTALLED, file));
  try {
    execFileSync('npm', ['ci', '--prefix', INSTALLED], {
      env: { ...process.env, npm_config_nodedir: headers },
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer | null };
    const end = String(stderr ?? error)
      .trim()
      .split('\n')
      .slice(-20)
      .join('\n');
    return `AWS's runtime client cannot be built here; it needs the Debian packages ${PACKAGES}. The end of the build:\n${end}`;
  }
}

function test(): number {
  const config = path.join(import.meta.dirname, 'vitest.config.ts');
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const words = [vitest, 'run', '--config', config, ...process.argv.slice(2)];
  return spawnSync(process.execPath, words, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}
