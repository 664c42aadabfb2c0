import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Command, CommandGroup, Option, Options, Values } from './command.ts';
import { helpText } from './help-text.ts';
import { PlainError } from './plain-error.ts';
import { isOutputCut, oneLine, print, printBug, printError, visible } from './print.ts';
import { obeyProxy } from './proxy.ts';
import { takenByNpm } from './taken-by-npm.ts';

/** An error on the command line; the process ends with {@link EXIT.usage}. */
export class UsageError extends PlainError {
  override readonly name = 'UsageError';
}

/** The exit codes of every tool. */
const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/**
 * Runs a command with the process's arguments, and sets the exit code. `--help` and `-h` print the help. A {@link PlainError} ends
 * the process with its message on standard error; any other error is a bug and is printed with its stack trace.
 *
 * A command's module should import what does the work only in `main`: help and refused options then need a fifth of the
 * time.
 */
export function runCommand<const Own extends Options>(command: Command<Own>): Promise<void> {
  return run(command, process.argv.slice(2));
}

/** Runs the command of a group that the first argument names, as {@link runCommand}. The help of the group has all options. */
export function runCommands<const All extends Readonly<Record<string, Options>>>(
  group: CommandGroup<All>,
): Promise<void> {
  const { commands, ...help } = group;
  const all: Record<string, Command<Options>> = commands;
  const [name = '', ...args] = process.argv.slice(2);
  const command = Object.hasOwn(all, name) ? all[name] : undefined;
  const { script, isQuiet, notes = '' } = help;
  if (command) {
    const own = { script, isQuiet, verb: name, notes: `${command.notes ?? ''}\n\n${notes}` };
    return run({ ...command, ...own }, args);
  }
  const options = Object.assign({}, ...Object.values(all).map((command) => command.options));
  const usage = Object.entries(all)
    .flatMap(([verb, { usage }]) => usage.split('\n').map((line) => `${verb} ${line}`))
    .join('\n');
  const main = async () => {
    throw new UsageError(`Use one of: ${Object.keys(all).join(', ')}; --help shows more.`);
  };
  return run({ ...help, usage, options, main, operands: true }, process.argv.slice(2));
}

async function run(command: Command<Options>, args: string[]): Promise<void> {
  try {
    const { help, values, operands } = parseCommand(command, args, process.env);
    if (help) print(helpText(command));
    else await obeyProxy();
    const hasFailed = !help && (await command.main(values, operands)) === false;
    if (hasFailed || isOutputCut) process.exitCode = EXIT.failed;
  } catch (error) {
    if (error instanceof PlainError) printError(error.message);
    else printBug(error);
    process.exit(error instanceof UsageError ? EXIT.usage : EXIT.failed);
  }
}

/**
 * Reads the arguments of a command with Node's `parseArgs`.
 * @param env where npm puts the options that it took for itself
 * @throws UsageError if an argument is not allowed; its message repeats nothing that may be a secret
 */
export function parseCommand<Own extends Options>(
  command: Command<Own>,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): { help: boolean; values: Values<Own>; operands: string[] } {
  const { options, operands = 0, apart = [] } = command;
  const config: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h', default: false } };
  for (const [name, option] of Object.entries<Option>(options)) {
    config[name] =
      option.value === undefined
        ? { type: 'boolean', default: false }
        : { type: 'string', multiple: option.repeatable === true, default: option.default };
  }
  const taken = takenByNpm(command, args, env);
  if (taken) throw new UsageError(taken);
  const { values: found, positionals } = parsed(args, config);
  // It may be a token, so it is not repeated.
  if (operands !== true && positionals.length > operands)
    throw new UsageError('Unexpected argument; --help shows the options.');
  const { help, ...values } = found as Record<string, unknown>;
  // As a shell passes an unset variable.
  const empty = Object.keys(values).find(
    (name) => !options[name]?.mayBeEmpty && [values[name]].flat().includes(''),
  );
  if (empty) throw new UsageError(`--${empty} must not be empty.`);
  if (positionals.includes('')) throw new UsageError('An argument must not be empty.');
  for (const names of apart) {
    const given = names.filter((name) => values[name]).map((name) => `--${name}`);
    if (given.length > 1) throw new UsageError(`${given.join(' and ')} cannot be used together.`);
  }
  return { help: Boolean(help), values: values as Values<Own>, operands: positionals };
}

function parsed(args: string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: withNegatives(args, options), options, allowPositionals: true });
  } catch (error) {
    const [problem] = (error as Error).message.split(/[.\n]/, 1);
    throw new UsageError(`${problem}; --help shows the options.`);
  }
}

/** A negative number, such as an id, is no option: it belongs to the option before it, or is an operand. */
function withNegatives(args: string[], options: ParseArgsOptionsConfig): string[] {
  const at = args.includes('--') ? args.indexOf('--') : args.length;
  const before: string[] = [];
  const operands: string[] = [];
  for (const arg of args.slice(0, at)) {
    const last = before.at(-1) ?? '';
    if (!/^-\d+$/.test(arg)) before.push(arg);
    else if (options[last.slice(2)]?.type === 'string') before[before.length - 1] = `${last}=${arg}`;
    else operands.push(arg);
  }
  const after = [...operands, ...args.slice(at + 1)];
  return after.length > 0 ? [...before, '--', ...after] : before;
}

/**
 * Reads an option's value as a whole number.
 * @throws UsageError if it is not a whole number or is out of range
 */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}.`);
}

/** A longer cell moves the rest of its row to the right: otherwise one long value would lengthen all rows. */
const WIDEST_COLUMN = 200;

/**
 * Aligns rows in columns, two spaces apart. A row stays one line, whatever its cells contain.
 * @param align one letter per column, `l` or `r`; missing letters are `l`
 * @returns a line for each row
 */
export function columns(rows: readonly (readonly string[])[], align = ''): string[] {
  const cells = rows.map((row) => row.map((text) => visible(oneLine(text))));
  const widths: number[] = [];
  for (const row of cells)
    for (const [n, { length }] of row.entries())
      widths[n] = Math.max(widths[n] ?? 0, Math.min(length, WIDEST_COLUMN));
  const cell = (text: string, n: number) => {
    const space = ' '.repeat(Math.max(0, (widths[n] ?? 0) - text.length));
    return align[n] === 'r' ? space + text : text + space;
  };
  return cells.map((row) => row.map(cell).join('  ').trimEnd());
}
