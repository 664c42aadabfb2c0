/** An error that its message explains whole: it is shown to a person as one line, without a stack trace. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}

/**
 * Runs a command's main function. A {@link PlainError}, or an option that `util.parseArgs` refuses, ends the process
 * with one line on standard error and exit code 1; anything else is a bug and keeps its stack trace.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (!(error instanceof PlainError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
    console.error((error as Error).message);
    process.exit(1);
  }
}
