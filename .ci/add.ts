/** `npm run add -- NAME --from CLONE`, in a copy: adds a part or an operation, from the repository that the copy was made from. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { runCommand, UsageError } from '../cli/command-line.ts';

await runCommand({
  script: 'add',
  usage: '[NAME]... --from CLONE',
  about:
    'Adds parts or operations to this service, from a clone of the repository that it was copied from. Without a name, it lists what this one lacks.',
  operands: true,
  options: { from: { value: 'CLONE', about: 'the folder of the clone, after npm ci there' } },
  async main({ from }, names) {
    const program = path.resolve(from ?? '', '.ci', 'copy-service.ts');
    if (from === undefined || !existsSync(program))
      throw new UsageError('--from names a clone of the repository that this service was copied from.');
    const root = path.join(import.meta.dirname, '..');
    const args = [program, root, ...(names.length > 0 ? ['--add', names.join(',')] : [])];
    // It has said what is wrong.
    process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
    return undefined;
  },
});
