import { PlainError } from '../../cli/plain-error.ts';

/** What a code block of a recipe does to a file. */
export interface Block {
  /** The path, from the root of the project; undefined: a command. */
  readonly file: string | undefined;
  readonly how: 'new' | 'at its end' | 'diff' | 'sh';
  readonly text: string;
}

/** A line such as "`lambda/routes.ts`:" names the file of the blocks after it. */
const FILE = /^`([^`]+)`(?:, (new|at its end))?(?:,.*)?:$/;
const FENCE = /^```(\w*)$/;

/**
 * Reads the blocks of a document that change files: those in red and green, those of a file that is new or gets an end, and commands.
 * @returns by the heading of the second level before them; '' for those before the first
 */
export function blocksIn(document: string): ReadonlyMap<string, readonly Block[]> {
  const sections = new Map<string, Block[]>();
  let [heading, file, how, language] = ['', undefined, undefined, undefined] as (string | undefined)[];
  let text = '';
  for (const line of document.split('\n')) {
    const fence = FENCE.exec(line);
    if (language === undefined) {
      if (line.startsWith('## ')) heading = line.slice(3);
      const named = FILE.exec(line);
      if (named) [, file, how] = named;
      if (fence) [language, text] = [fence[1], ''];
    } else if (fence) {
      const kind = language === 'diff' || language === 'sh' ? language : how;
      const block = kind && { file: kind === 'sh' ? undefined : file, how: kind as Block['how'], text };
      if (block) sections.set(heading ?? '', [...(sections.get(heading ?? '') ?? []), block]);
      if (kind === how) how = undefined;
      language = undefined;
    } else text += `${line}\n`;
  }
  return sections;
}

/** Applies a block in red and green to a text. @param file for the message @throws PlainError unless the place is there once */
export function patched(text: string, diff: string, file: string): string {
  const lines = diff.trimEnd().split('\n');
  const side = (sign: string) => lines.filter((line) => line[0] !== sign).map((line) => line.slice(1));
  const before = side('+').join('\n');
  const count = text.split(before).length - 1;
  if (count !== 1) throw new PlainError(`In ${file}, this is there ${count} times:\n${before}`);
  return text.replace(before, () => side('-').join('\n'));
}
