/** `npm run lab -- NAME`: runs one of the long trials and measurements; README.md lists them. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { runCommand, UsageError } from '../cli/command-line.ts';

const HERE = import.meta.dirname;
const [name = '', ...args] = process.argv.slice(2);
const names = globSync('*/run.ts', { cwd: HERE }).map(path.dirname).sort();

// Then what a trial has started ends, too, and its temporary folder goes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

if (names.includes(name)) {
  // Each reads its own arguments.
  process.argv.splice(2, 1 + args.length, ...args);
  await import(`./${name}/run.ts`);
} else {
  const about = `NAME is one of ${names.join(', ')}; lab/README.md says what each does.`;
  const command = { script: 'lab', usage: 'NAME [ARGUMENTS]', about, options: {}, operands: true } as const;
  await runCommand({
    ...command,
    async main() {
      throw new UsageError(`Use one of: ${names.join(', ')}; lab/README.md says what each does.`);
    },
  });
}
