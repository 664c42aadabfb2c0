/** `npx node .ci/zizmor.ts`: runs zizmor on the workflows. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { runCommand } from '../cli/command-line.ts';
import { ROOT } from '../test/support/project.ts';
import { installPython } from './install-python.ts';

await runCommand({
  usage: 'npx node .ci/zizmor.ts',
  about: 'Runs zizmor on the workflows.',
  options: {},
  async main() {
    const requirements = path.join(import.meta.dirname, 'requirements.txt');
    const needs = 'Python 3.11 or newer with venv, and PyPI';
    const program = path.join(installPython('zizmor', 'python3', needs, requirements), 'zizmor');
    const { status } = spawnSync(program, ['--offline', '--quiet', '.github'], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    return status === 0;
  },
});
