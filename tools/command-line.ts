import { parseArgs, stripVTControlCharacters } from 'node:util';
import { PlainError } from '../local/plain-error.ts';

/** One option of a command. */
export interface Option {
  /** The placeholder of the option's value in the help; if absent, the option is a switch. */
  readonly value?: string;
  readonly about: string;
  readonly default?: string;
  /** Whether the option may be given several times; its value is then a list. */
  readonly repeatable?: true;
  /** If the option was removed: what to use instead. The error message does not repeat its value. */
  readonly removed?: string;
}

/** What the help of a command shows, and what the command accepts. */
export interface Command<Options extends Readonly<Record<string, Option>>> {
  /** The ways to call the command, one per line. */
  readonly usage: string;
  readonly about: string;
  readonly options: Options;
  /** Text below the options. */
  readonly notes?: string;
  readonly operands?: boolean;
}

type Values<Options extends Readonly<Record<string, Option>>> = {
  readonly [Name in keyof Options]: Options[Name] extends { repeatable: true }
    ? readonly string[] | undefined
    : Options[Name] extends { value: string }
      ? Options[Name] extends { default: string }
        ? string
        : string | undefined
      : boolean;
};

/** An error on the command line; the process ends with {@link EXIT.usage}. */
export class UsageError extends PlainError {
  override readonly name = 'UsageError';
}

/** The exit codes of every tool. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/**
 * Runs a command: parses the process's arguments, handles `--help` and `-h`, and turns errors into exit codes.
 *
 * Node's `parseArgs` parses and types the values. A command-line library would add only the help text and the table
 * below.
 */
export async function runCommand<const Options extends Readonly<Record<string, Option>>>(
  command: Command<Options>,
  main: (values: Values<Options>, operands: string[]) => Promise<void>,
): Promise<void> {
  await reportErrors(async () => {
    const { help, values, operands } = parse(command, process.argv.slice(2));
    if (help) console.info(helpText(command));
    else await main(values, operands);
  });
}

/**
 * Runs a main function. A {@link PlainError}, or an argument that `parseArgs` refuses, ends the process with one line
 * on standard error; any other error is a bug and keeps its stack trace.
 */
export async function reportErrors(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const explained = (error as NodeJS.ErrnoException | undefined)?.code?.startsWith('ERR_PARSE_ARGS')
      ? new UsageError(`${explain(error as NodeJS.ErrnoException)}; --help shows the options.`)
      : error;
    if (!(explained instanceof PlainError)) throw error;
    console.error(explained.message);
    process.exit(explained instanceof UsageError ? EXIT.usage : EXIT.failed);
  }
}

function parse<Options extends Readonly<Record<string, Option>>>(command: Command<Options>, args: string[]) {
  const { options, operands = false } = command;
  const known = Object.entries<Option>(options).map(([name, option]) => {
    const { value, removed, default: preset, repeatable: multiple = false } = option;
    if (value === undefined && !removed) return [name, { type: 'boolean', default: false }] as const;
    return [
      name,
      { type: 'string', multiple, ...(preset === undefined ? {} : { default: preset }) },
    ] as const;
  });
  const removed = Object.entries<Option>(options).find(
    ([name, option]) => option.removed && args.some((each) => each.split('=')[0] === `--${name}`),
  );
  if (removed) throw new UsageError(`There is no option --${removed[0]}: ${removed[1].removed}`);
  const help = { type: 'boolean', short: 'h', default: false } as const;
  const parsed = parseArgs({
    args,
    options: { ...Object.fromEntries(known), help },
    allowPositionals: operands,
  });
  const { help: isAsked, ...values } = parsed.values as Record<string, unknown>;
  return { help: Boolean(isAsked), values: values as Values<Options>, operands: parsed.positionals };
}

/** The first sentence of Node's message, without input that may be a secret. */
function explain({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return 'An argument does not belong to any option';
  return message.split(/[.\n]/, 1)[0] ?? '';
}

/** The help text of a command. */
function helpText({ usage, about, options, notes }: Command<Readonly<Record<string, Option>>>): string {
  const shown = Object.entries(options).filter(([, { removed }]) => !removed);
  const rows = shown.map(([name, { value, about: text, default: preset }]) => [
    `  --${name}${value === undefined ? '' : ` ${value}`}`,
    preset === undefined ? text : `${text} (default: ${preset})`,
  ]);
  const list = table([...rows, ['  -h, --help', 'show this help']]);
  return [
    `Usage:\n${usage.replace(/^/gm, '  ')}`,
    about,
    `Options:\n${list}`,
    ...(notes ? [notes] : []),
  ].join('\n\n');
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

/**
 * Aligns rows in columns, two spaces apart. Colour codes have no width.
 * @param align one letter per column, `l` or `r`; missing letters are `l`
 */
export function table(rows: readonly (readonly string[])[], align = ''): string {
  const width = (text: string) => stripVTControlCharacters(text).length;
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, n) =>
    Math.max(...rows.map((row) => width(row[n] ?? ''))),
  );
  const cell = (text: string, n: number) => {
    const space = ' '.repeat((widths[n] ?? 0) - width(text));
    return align[n] === 'r' ? space + text : text + space;
  };
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
}
