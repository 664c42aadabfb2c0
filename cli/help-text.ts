import type { Command, Options } from './command.ts';

/** The most characters of a line. */
const WIDTH = 80;

/** How to start a command, up to its arguments. */
export function startOf({ script, isQuiet, verb }: Command<Options>): string {
  if (script === undefined) return '';
  const npm = script === 'start' ? 'npm start' : `npm run ${isQuiet ? '-s ' : ''}${script}`;
  return [npm, '--', verb].filter(Boolean).join(' ');
}

/** The help of a command. */
export function helpText(command: Command<Options>): string {
  const { usage, about, options, notes = '' } = command;
  const rows = Object.entries(options).map(([name, { value, about: text, default: preset }]) => [
    `  --${name}${value === undefined ? '' : ` ${value}`}`,
    preset === undefined ? text : `${text} (default: ${preset})`,
  ]);
  const list = [...rows, ['  -h, --help', 'show this help']] as [string, string][];
  const indent = Math.max(...list.map(([option]) => option.length)) + 2;
  return [
    `Usage:\n${usage
      .split('\n')
      .map((line) => wrapped(`  ${[startOf(command), line].filter(Boolean).join(' ')}`, 6))
      .join('\n')}`,
    wrapped(about),
    `Options:\n${list.map(([option, text]) => wrapped(option.padEnd(indent) + text, indent)).join('\n')}`,
    ...notes
      .split('\n\n')
      .filter(Boolean)
      .map((paragraph) =>
        paragraph
          .split(/\n(?= {2})/)
          // An item of a list begins with two spaces, and its text stays in its column.
          .map((item) => wrapped(item, /^ {2}.*? {2,}/.exec(item)?.[0].length))
          .join('\n'),
      ),
  ].join('\n\n');
}

/**
 * Wraps a paragraph between words; a part in brackets, such as `[--port N]`, is one word.
 * @param text its own line breaks count as spaces
 * @param indent of all lines but the first
 */
function wrapped(text: string, indent = 0): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replaceAll('\n', ' ').match(/ *(\[[^\]]*\]\S*|\S+)/g) ?? []) {
    if (line.trim() === '' || line.length + word.length <= WIDTH) {
      line += word;
    } else {
      lines.push(line);
      line = ' '.repeat(indent) + word.trimStart();
    }
  }
  return [...lines, line].join('\n');
}
