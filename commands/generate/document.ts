/** A document with parts that are made from the code. */
export interface Document {
  /** Its path from the root of the project. */
  readonly file: string;
  /** What it should be: what is written by hand stays. */
  readonly text: string;
  /** The rows, by their first cell, in which a cell that is written by hand is empty. */
  readonly emptyRows: readonly string[];
}

/** Replaces a part of a document; each line gets the indentation of the part, its first group. @throws Error if it is not there */
export function withPart(document: string, part: RegExp, lines: string): string {
  if (!part.test(document)) throw new Error(`A document has no part like ${part}.`);
  return document.replace(part, (_, indent: string) => lines.replaceAll(/^(?=.)/gm, indent));
}
