/** `npm run lab -- NAME`: runs one of the long trials and measurements; README.md lists them. */
import { globSync } from 'node:fs';
import path from 'node:path';

const HERE = import.meta.dirname;
const [name = '', ...args] = process.argv.slice(2);
const names = globSync('*/run.ts', { cwd: HERE }).map(path.dirname).sort();

if (names.includes(name)) {
  // Each reads its own arguments.
  process.argv.splice(2, 1 + args.length, ...args);
  await import(`./${name}/run.ts`);
} else {
  const isHelp = name === '--help' || name === '-h';
  const usage = `Usage:\n  npm run lab -- NAME [ARGUMENTS]\n\nNAME is one of ${names.join(', ')}; lab/README.md says what each does.`;
  if (isHelp) console.info(usage);
  else console.error(usage);
  process.exitCode = isHelp ? 0 : 2;
}
