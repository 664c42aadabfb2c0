/** An error for users: a program prints its message, one line for each problem, without a stack trace. Any other error is a bug. */
export class PlainError extends Error {
  override readonly name: string = 'PlainError';
}
