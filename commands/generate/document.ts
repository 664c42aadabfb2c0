import { PlainError } from '../../cli/plain-error.ts';

/** A document with parts that are made from the code. */
export interface Document {
  /** Its path from the root of the project. */
  readonly file: string;
  /** What it should be: what is written by hand stays. */
  readonly text: string;
  /** The rows, by their first cell, in which a cell that is written by hand is empty. */
  readonly emptyRows: readonly string[];
}

/** What is made in a document. */
export interface Part {
  /** For a person. */
  readonly name: string;
  /** Finds it; its first group is its indentation. */
  readonly pattern: RegExp;
}

/** Replaces a part of a document; each line gets its indentation. @param file for the message @throws PlainError if it is not there */
export function withPart(file: string, document: string, { name, pattern }: Part, lines: string): string {
  if (!pattern.test(document)) throw new PlainError(`${file} lacks ${name}: bring it back as it was.`);
  return document.replace(pattern, (_, indent: string) => lines.replaceAll(/^(?=.)/gm, indent));
}
