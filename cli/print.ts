import { fstatSync, writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { onFile } from './file-error.ts';
import { PlainError } from './plain-error.ts';

/**
 * Characters that a terminal obeys instead of showing them: C0 but for the line break, DEL and C1 (ECMA-48), Unicode's line
 * and paragraph separators, and the controls of the bidirectional algorithm (UAX #9), which reorder what is shown.
 */
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Replaces each control character but the line break with its escape, such as `\u001b`. In JSON, the escape stands for the
 * same character.
 */
export function visible(text: string): string {
  return text.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Text from outside on one line, so that it cannot imitate a line of our own. */
export function oneLine(text: string): string {
  // A pattern with `\s*` before the break would take minutes for a megabyte of spaces.
  return text.replace(/[\s\u0085]+/g, (space) => (/[\r\n\v\f\u0085\u2028\u2029]/.test(space) ? ' ' : space));
}

/**
 * Prints lines on standard output. Commands write to the terminal by this module alone: text from outside, such as a response, a file or
 * an error message of AWS, could otherwise change what the terminal shows. If standard output is a file that cannot take all of
 * it, as on a full disk, that is said once on standard error, nothing more is printed, and {@link isOutputCut}
 * says so.
 */
export function print(text: string): void {
  if (!isFile(process.stdout)) console.info(visible(text));
  else if (!isOutputCut) printToFile(text);
}

/** Whether something that was printed is missing from standard output. */
export let isOutputCut = false;

function printToFile(text: string): void {
  try {
    onFile('standard output', 'written to', () => writeFileSync(process.stdout.fd, `${visible(text)}\n`));
  } catch (error) {
    isOutputCut = true;
    printError(`${(error as PlainError).message} Something that was printed is missing from it.`);
  }
}

/** Whether a stream is a file: Node's streams for files ignore a short write. */
function isFile({ fd }: typeof process.stdout): boolean {
  return fstatSync(fd).isFile();
}

/**
 * Prints lines of JSON, or a secret, on standard output: as they are, but with visible control characters in a terminal.
 * @throws PlainError unless all of them are written, as after the reader has gone, or on a full disk
 */
export async function printWhole(lines: string): Promise<void> {
  const { stdout } = process;
  // This writes the rest after a short write; Node's stream for a file does not.
  if (isFile(stdout)) return onFile('standard output', 'written to', () => writeFileSync(stdout.fd, lines));
  // Without a listener, an error would end the process.
  stdout.off('error', ignore).on('error', ignore);
  await new Promise<void>((resolve, reject) => {
    stdout.write(stdout.isTTY ? visible(lines) : lines, (error) => (error ? reject(error) : resolve()));
  }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new PlainError(`standard output cannot be written to (${code}).`);
  });
}

function ignore(): void {}

/** Prints lines on standard error. */
export function printError(text: string): void {
  console.error(visible(text));
}

/** Prints an error that is a bug, with its stack trace, on standard error. */
export function printBug(error: unknown): void {
  printError(inspect(error));
}

/** Replaces the last line of standard error, which must be a terminal. @param line empty to remove it */
export function redraw(line: string): void {
  // Once the terminal is closed, a write fails, and without a listener that would end the process before it has cleaned up.
  process.stderr.off('error', ignore).on('error', ignore);
  process.stderr.write(`\r\u001b[2K${visible(oneLine(line))}`);
}
