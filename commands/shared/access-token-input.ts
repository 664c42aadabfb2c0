import { createInterface } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import { UsageError } from '../../cli/command-line.ts';
import { printError } from '../../cli/print.ts';
import { BEARER_TOKEN } from '../../lambda/request/proxy-event.ts';
import { isTokenFormat, PREFIX } from '../../lambda/tokens/token-format.ts';

/** The part of the help on where the access token comes from. */
export const TOKEN_NOTES = `The access token is read from the environment variable PLANT_STORE_TOKEN. Without it, the command asks for the
token in a terminal, without showing it, and otherwise reads the first line of standard input. A command line would show it in process
lists, in the shell's history and in npm's log.`;

/** How long to wait for standard input, in milliseconds: an open pipe without a writer would never end. */
const STANDARD_INPUT_MS = 30_000;

/**
 * Reads the access token from PLANT_STORE_TOKEN, or else from the terminal or the first line of standard input.
 * @throws UsageError if there is none, or it is mistyped
 */
export async function readToken(): Promise<string> {
  const { stdin } = process;
  const given = process.env.PLANT_STORE_TOKEN || (await (stdin.isTTY ? typedLine(stdin) : firstLine(stdin)));
  const token = given.trim();
  if (token === '')
    throw new UsageError('Put the access token into PLANT_STORE_TOKEN, or give it on standard input.');
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
