import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { PlainError } from '../../cli/plain-error.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** A document with parts that are made from the code. */
export interface Document {
  /** Its path from the root of the project. */
  readonly file: string;
  /** What it should be: what is written by hand stays. */
  readonly text: string;
}

const formatted = new Map<string, string>();

/** A source that is made as a whole, as Biome formats it: once, because it starts two processes. */
export function sourceFile(file: string, text: string): Document {
  const key = `${file}\n${text}`;
  const found = formatted.get(key) ?? format(file, text);
  formatted.set(key, found);
  return { file, text: found };
}

function format(file: string, input: string): string {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const options = { cwd: ROOT, input, encoding: 'utf8' } as const;
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${file}`], options);
}

/** A table whose rows are made, but for cells that are written by hand. */
interface Table {
  /** The cells of a row as they are now, the first of which is given; none if there is no such row. */
  readonly cellsOf: (first: string) => readonly string[];
  /** The document with other rows. */
  readonly withRows: (rows: readonly (readonly string[])[]) => string;
}

/**
 * Replaces what is made whole after the comment `made: NAME`: what the fences of the next block hold, or in a program the next line.
 * @param file for the message
 * @throws PlainError if it is not there
 */
function withMade(file: string, text: string, name: string, made: string): string {
  const block = `(?<=^<!-- made: ${name}\\b.*\\n+\`\`\`\\w+\\n)[\\s\\S]*?(?=^\`\`\`$)`;
  const line = `(?<=^ *(?:#|//) made: ${name}\\b.*\\n *)\\S.*\\n`;
  const place = new RegExp(`${block}|${line}`, 'm');
  if (!place.test(text))
    throw new PlainError(
      `${file} lacks the comment "made: ${name}" before a block or a line: bring both back.`,
    );
  return text.replace(place, () => `${made}\n`);
}

/** Makes a document whose parts are written whole, by their names. */
export function documentWith(file: string, text: string, made: Readonly<Record<string, string>>): Document {
  const blocks = Object.entries(made);
  return { file, text: blocks.reduce((before, [name, block]) => withMade(file, before, name, block), text) };
}

/** Finds the first table after the comment `made: NAME`, of Markdown or YAML. @param file for the message @throws PlainError if it is not there */
export function tableIn(file: string, text: string, name: string): Table {
  const head = `^ *(?:<!--|#) made: ${name}\\b.*\\n(?:(?! *\\|).*\\n)*( *)\\|.*\\n *\\|[-|]+\\n`;
  const found = new RegExp(`(${head})((?: *\\|.*\\n)*)`, 'm').exec(text);
  if (!found)
    throw new PlainError(`${file} lacks the comment "made: ${name}" before a table: bring both back.`);
  const [whole, before = '', indent = '', rows = ''] = found;
  const written = rows.split('\n').map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  return {
    cellsOf: (first) => written.find(([, cell]) => cell === first)?.slice(1, -1) ?? [],
    withRows: (made) => {
      const lines = made.map((cells) => `${indent}| ${cells.join(' | ')} |\n`);
      return text.replace(whole, () => before + lines.join(''));
    },
  };
}
