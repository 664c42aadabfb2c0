import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { printError } from '../../cli/print.ts';
import { BEARER_TOKEN } from '../../lambda/request/proxy-event.ts';
import { isTokenFormat, PREFIX } from '../../lambda/tokens/token-format.ts';

/** The part of the help on where the access token comes from. */
export const TOKEN_NOTES = `The access token is read from the environment variable PLANT_STORE_TOKEN. Without it, the command asks for the
token in a terminal, without showing it, and otherwise reads the first line of standard input. A command line would show it in process
lists, in the shell's history and in npm's log. With --token-command, it is the first line that this command prints.`;

/** The option of commands that send requests. */
export const TOKEN_COMMAND = {
  'token-command': { value: 'COMMAND', about: 'a command of the shell that prints the access token' },
} as const;

/** How long to wait for standard input, in milliseconds: an open pipe without a writer would never end. */
const STANDARD_INPUT_MS = 30_000;

/**
 * Reads the access token from a command, if there is one, or from PLANT_STORE_TOKEN, or else from the terminal or the first line of
 * standard input.
 * @throws UsageError if there is none, or it is mistyped; PlainError if the command fails
 */
export async function readToken(command?: string): Promise<string> {
  const { stdin } = process;
  const given =
    command === undefined
      ? process.env.PLANT_STORE_TOKEN || (await (stdin.isTTY ? typedLine(stdin) : firstLine(stdin)))
      : await linePrintedBy(command);
  const token = given.trim();
  if (token === '')
    throw new UsageError(
      command === undefined
        ? 'Put the access token into PLANT_STORE_TOKEN, or give it on standard input.'
        : 'The command of --token-command printed nothing.',
    );
  const isMistyped = token.startsWith(PREFIX) && !isTokenFormat(token);
  if (isMistyped || !BEARER_TOKEN.test(token))
    throw new UsageError(
      `This is not an access token. One of ours has ${PREFIX} and 49 letters and digits, of which the last six are a checksum. ` +
        'Any other has only letters, digits, - . _ ~ + / and, at its end, =.',
    );
  return token;
}

/**
 * Asks for the token without showing it. A token of another form may be longer than the 4,095 characters that a terminal takes as a line:
 * Node reads it key by key.
 * @returns nothing after Ctrl-C or Ctrl-D, which reject the question
 */
async function typedLine(input: NodeJS.ReadStream): Promise<string> {
  const output = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input, output, terminal: true });
  // Not before: until now, the terminal would have shown what is typed.
  printError('Paste the access token, and press Enter. It is not shown.');
  const line = await terminal.question('').catch(() => '');
  terminal.close();
  return line;
}

/** Its errors go to the terminal, and it may read standard input. @throws PlainError if it fails */
async function linePrintedBy(command: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ['inherit', 'pipe', 'inherit'] });
  const [printed, code] = await Promise.all([
    text(child.stdout),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  if (code !== 0) throw new PlainError(`The command of --token-command failed (exit code ${code}).`);
  return printed.split('\n', 1)[0] ?? '';
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  try {
    for await (const chunk of addAbortSignal(AbortSignal.timeout(STANDARD_INPUT_MS), input)) {
      text += chunk;
      if (text.includes('\n')) break;
    }
  } catch {
    // Closed, or timed out: use what was read so far.
  }
  return text.split('\n', 1)[0] ?? '';
}
