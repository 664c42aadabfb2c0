import type { Command, Option } from './command.ts';

/** Lines are no longer than this, and without a terminal they have 80 characters. */
const WIDEST = 120;
/** The text beside an option is no narrower than this. */
const NARROWEST = 20;

/**
 * The help of a command, wrapped at a width.
 * @param columns the width of the terminal; without one, or if it reports 0, 80
 */
export function helpText(
  { usage, about, options, notes = '' }: Command<Readonly<Record<string, Option>>>,
  columns = 0,
): string {
  const width = Math.min(columns || 80, WIDEST);
  const rows = Object.entries(options).map(([name, { value, about: text, default: preset }]) => [
    `  --${name}${value === undefined ? '' : ` ${value}`}`,
    preset === undefined ? text : `${text} (default: ${preset})`,
  ]);
  const list = [...rows, ['  -h, --help', 'show this help']] as [string, string][];
  const indent = Math.max(...list.map(([option]) => option.length)) + 2;
  return [
    `Usage:\n${usage
      .split('\n')
      .map((line) => wrapped(`  ${line}`, width, 6))
      .join('\n')}`,
    wrapped(about, width),
    `Options:\n${list.map(([option, text]) => wrapped(option.padEnd(indent) + text, width, indent)).join('\n')}`,
    ...notes
      .split('\n\n')
      .filter(Boolean)
      .map((paragraph) => wrapped(paragraph, width)),
  ].join('\n\n');
}

/**
 * Wraps a paragraph between words; a part in brackets, such as `[--port N]`, is one word.
 * @param text its own line breaks count as spaces
 * @param indent of all lines but the first; less if it would leave no room
 */
function wrapped(text: string, width: number, indent = 0): string {
  const hanging = ' '.repeat(Math.max(0, Math.min(indent, width - NARROWEST)));
  const lines: string[] = [];
  let line = '';
  for (const word of text.replaceAll('\n', ' ').match(/ *(\[[^\]]*\]\S*|\S+)/g) ?? []) {
    if (line.trim() === '' || line.length + word.length <= width) {
      line += word;
    } else {
      lines.push(line);
      line = hanging + word.trimStart();
    }
  }
  return [...lines, line].join('\n');
}
