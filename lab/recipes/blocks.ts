import { PlainError } from '../../cli/plain-error.ts';

/** What a code block of a recipe does. */
export interface Block {
  /** `patch`: changes a file as it shows in red and green; `new` and `append`: is a file, or its end; `generate`: runs that. */
  readonly how: string;
  /** The path, from the root of the project; empty for `generate`. */
  readonly file: string;
  readonly text: string;
}

/** A block that does something: the words after its language, which a reader does not see, say what, as in `diff patch lambda/routes.ts`. */
const BLOCK = /^```\w+ (\w+) ?(\S*)\n([\s\S]*?)^```$/gm;

/**
 * Reads the blocks of a section that do something.
 * @throws PlainError if no text before a block names its file to a reader
 */
export function blocksIn(section: string): Block[] {
  return [...section.matchAll(BLOCK)].map(({ index, 1: how = '', 2: file = '', 3: text = '' }) => {
    if (file !== '' && !section.slice(0, index).includes(`\`${file}\``))
      throw new PlainError(`No text before a block names ${file}, which the block changes.`);
    return { how, file, text };
  });
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
