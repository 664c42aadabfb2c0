/** `npm run lab -- NAME`: runs one of the long trials and measurements; README.md lists them. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { EXIT } from '../cli/command-line.ts';
import { helpText } from '../cli/help-text.ts';
import { print, printError } from '../cli/print.ts';

const HERE = import.meta.dirname;
const [name = '', ...args] = process.argv.slice(2);
const names = globSync('*/run.ts', { cwd: HERE }).map(path.dirname).sort();

if (names.includes(name)) {
  // Each reads its own arguments.
  process.argv.splice(2, 1 + args.length, ...args);
  await import(`./${name}/run.ts`);
} else {
  const isHelp = name === '--help' || name === '-h';
  const command = {
    usage: 'npm run lab -- NAME [ARGUMENTS]',
    about: `NAME is one of ${names.join(', ')}; lab/README.md says what each does.`,
    options: {},
  };
  (isHelp ? print : printError)(helpText(command));
  process.exitCode = isHelp ? EXIT.done : EXIT.usage;
}
