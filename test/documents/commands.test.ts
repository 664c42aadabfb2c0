import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PIPELINE_OPTIONS, STAGE_OPTIONS } from '../../infra/app-options.ts';
import { QUERIES } from '../../infra/queries.ts';
import { readCdkOptions } from '../../operate/deploy/cdk-options.ts';
import { PACKAGES, read } from '../support/project.ts';
import { runHere } from '../support/run-command.ts';
import { codeOf, DOCUMENTS } from './documents.ts';

const SCRIPTS: Record<string, string> = JSON.parse(read('package.json')).scripts;
/** What `-c` may begin with; a value in quotes is an x here. */
const CONTEXT_KEYS = [...STAGE_OPTIONS, ...PIPELINE_OPTIONS];
/** What the CDK's own command line knows: it ignores an option that it does not know. */
const CDK = JSON.parse(readFileSync(path.join(PACKAGES, 'aws-cdk/lib/cli/cli-type-registry.json'), 'utf8'));

/** The simple commands of a line, each as its words: a quoted text is one word, and redirections and comments are left out. */
function commandsIn(line: string): string[][] {
  const plain = line
    .replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, 'x')
    .replaceAll(/(^|\s)#.*|…|\.\.\.(?= |$)/g, '');
  return plain.split(/[|&;]+/).map((command) =>
    command
      .replace(/[<>].*/, '')
      .trim()
      .split(/\s+/),
  );
}

/** @returns what is wrong with a command, if npm runs it as a script or if it is the CDK's */
async function problemOf([program, verb = '', ...words]: string[]): Promise<string | undefined> {
  if (program === 'npx' && verb === 'cdk') return cdkProblem(words);
  if (program !== 'npm' || !/^(run|start|test)$/.test(verb)) return undefined;
  const [script = '', ...given] = [...(verb === 'run' ? [] : [verb]), ...words].filter(
    (word) => word !== '-s',
  );
  const runs = SCRIPTS[script];
  if (runs === undefined) return `there is no script ${script}`;
  const args = given[0] === '--' ? given.slice(1) : given;
  if (args === given && args.some((arg) => arg.startsWith('-')))
    return 'npm takes options before -- for itself';
  if (runs.startsWith('cdk ')) return cdkProblem([...runs.split(' ').slice(1), ...args]);
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  if (script === 'deploy') readCdkOptions(args.slice(end + 1));
  const query = args.includes('--query') ? String(args[args.indexOf('--query') + 1]) : 'NAME';
  // A name in capitals stands for any.
  if (query !== 'NAME' && !Object.hasOwn(QUERIES, query)) return `there is no query ${query}`;
  const [, name] = /(?:commands|local)\/(\w+)\.ts$/.exec(runs) ?? [];
  // The name of a command alone is no example of a call.
  if (name === undefined || args.length === 0) return undefined;
  // All arguments are read before the help is printed.
  const { code, out, err } = await runHere(name, [...args.slice(0, end), '--help', ...args.slice(end)]);
  const verbs = [...out.matchAll(/^ +npm run (?:-s )?\w+ -- ([a-z]+)/gm)].map(([, found]) => found);
  if (verbs.length > 0 && !['--help', ...verbs].includes(args[0])) return `${script} has only ${verbs}`;
  return code === 0 ? undefined : err;
}

function cdkProblem([verb = '', ...words]: readonly string[]): string | undefined {
  const known = { ...CDK.globalOptions, ...CDK.commands[verb]?.options };
  const names = words.flatMap((word) => /^--(?:no-)?([\w-]+)/.exec(word)?.[1] ?? []);
  const unknown = names.filter((name) => !(name in known));
  if (!CDK.commands[verb]) return `cdk has no command ${verb}`;
  const context = words.flatMap((word, n) => (words[n - 1] === '-c' ? [word.split('=')[0]] : []));
  const strange = context.find((key) => key !== 'x' && !CONTEXT_KEYS.includes(String(key)));
  if (strange !== undefined) return `there is no context key ${strange}`;
  return unknown.length > 0 ? `cdk ${verb} has no option ${unknown}` : undefined;
}

test('documented commands have known names, options, context keys and queries', async () => {
  const documented = DOCUMENTS.flatMap(codeOf).filter((line) => /\bnp[mx] /.test(line));
  expect(documented.length).toBeGreaterThan(150);
  const wrong: string[] = [];
  for (const line of new Set(documented)) {
    for (const command of commandsIn(line)) {
      const problem = await problemOf(command);
      if (problem) wrong.push(`${line}: ${problem}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('CONTRIBUTING.md or commands/README.md has a row for each script of package.json', () => {
  const rows = ['CONTRIBUTING.md', 'commands/README.md'].flatMap((file) => read(file).split('\n| '));
  const { postinstall: _, pretest: __, ...scripts } = SCRIPTS;
  const names = Object.keys(scripts).map((name) => new RegExp(`\`npm (run )?${name}( -- NAME)?\``));
  expect(names.filter((name) => !rows.some((row) => name.test(row)))).toEqual([]);
});
