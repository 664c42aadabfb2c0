/** An error on the command line or in the stage file; each line of its message is complete. Any other error is a bug. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
