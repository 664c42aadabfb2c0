import { readPipeline, readStages } from '../../infra/context.ts';
import { read } from './documents.ts';

const SCRIPTS: Record<string, string> = JSON.parse(read('package.json')).scripts;
/** What the CDK's own command line knows: it ignores an option that it does not know. */
const CDK = JSON.parse(read('node_modules/aws-cdk/lib/cli/cli-type-registry.json'));

/** What documents write in place of a value, and a value. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/\$\{stage\.name\}|\bstaging\b/g, 'dev'],
  [/--query NAME\b/g, '--query errors'],
  [/\$[a-z]\w*/gi, '12'],
  [/\bNAME\b/g, 'dev'],
  [/\bFILE\b/g, 'plants.csv'],
  [/\b(ID|VERSION|N|S)\b/g, '12'],
  [/\bBASE_URL\b/g, 'http://127.0.0.1:9'],
  [/\bORIGIN\b/g, 'https://app.example.com'],
  [/…|\.\.\.(?= |$)/g, ''],
];

/** The simple commands of a line, each as its words: what the shell makes of quotes, `&&`, `|`, `#` and redirections. */
function commandsIn(line: string): string[][] {
  const text = PLACEHOLDERS.reduce((all, [placeholder, value]) => all.replaceAll(placeholder, value), line);
  const tokens = text.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"|&;<>#]|(?<!\s)#)+|#.*|[|&;<>]+/g) ?? [];
  const commands: string[][] = [[]];
  for (const token of tokens) {
    if (token.startsWith('#')) break;
    if (/^[|&;]/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, '$1$2'));
  }
  return commands.map((words) => {
    const at = words.findIndex((word) => /^>+$/.test(word));
    return at < 0 ? words : words.slice(0, at);
  });
}

/** A documented command that a parser of the project reads: the module to run, and its arguments. */
export interface Run {
  readonly command: string;
  readonly line: readonly string[];
}

/** Sorts commands by who parses them. @returns what is already known to be wrong, and what is to be run */
export function sorted(commands: readonly string[]): { wrong: string[]; runs: Run[] } {
  const wrong: string[] = [];
  const runs: Run[] = [];
  for (const command of new Set(commands)) {
    for (const [program, ...words] of commandsIn(command)) {
      const isCdk = program === 'npx' && words[0] === 'cdk';
      const found = program === 'npm' ? npmCommand(words) : isCdk ? cdkProblem(words) : [];
      if (typeof found === 'string') wrong.push(`${command}: ${found}`);
      else if (found.length > 0) runs.push({ command, line: found });
    }
  }
  return { wrong, runs };
}

/** npm's own commands that documents use. */
const NPM = 'audit ci install outdated pack pkg rebuild sbom update version view'.split(' ');

/** @returns what is wrong, or the command line to run; it is empty if there is none */
function npmCommand(words: readonly string[]): string | string[] {
  const [verb, name = '', ...rest] = words.filter((word) => word !== '-s');
  const [script, given] = verb === 'run' ? [name, rest] : [verb ?? '', [name, ...rest].filter(Boolean)];
  if (NPM.includes(verb ?? '')) return [];
  if (verb !== 'run' && verb !== 'start' && verb !== 'test') return `npm has no command ${verb} here`;
  const runs = SCRIPTS[script];
  if (runs === undefined) return `there is no script ${script}`;
  const args = given[0] === '--' ? given.slice(1) : given;
  if (args === given && args[0]?.startsWith('-')) return 'npm takes options before -- for itself';
  if (runs.startsWith('cdk ')) return cdkProblem([...runs.split(' '), ...args]);
  const problem =
    script === 'deploy'
      ? cdkProblem(['cdk', 'deploy', ...args.slice(args.indexOf('--') + 1 || args.length)])
      : [];
  if (typeof problem === 'string') return problem;
  // The name of a command alone: no example of a call.
  if (args.length === 0) return [];
  const file = /\S+\.ts$/.exec(runs)?.[0];
  if (file === undefined) return `${script} takes no arguments here`;
  return /^(commands|local)\//.test(file) ? [file, ...args] : [];
}

function cdkProblem([, verb = '', ...words]: readonly string[]): string | string[] {
  const known = { ...CDK.globalOptions, ...CDK.commands[verb]?.options };
  const names = words.flatMap((word) => /^--(?:no-)?([\w-]+)/.exec(word)?.[1] ?? []);
  const unknown = names.filter((name) => !(name in known));
  if (!CDK.commands[verb]) return `cdk has no command ${verb}`;
  if (unknown.length > 0) return `cdk ${verb} has no option ${unknown}`;
  const context = words.flatMap((word, n) => (words[n - 1] === '-c' ? [word.split('=')] : []));
  try {
    readPipeline(Object.fromEntries(context)) ?? readStages(Object.fromEntries(context));
    return [];
  } catch (error) {
    return (error as Error).message;
  }
}
