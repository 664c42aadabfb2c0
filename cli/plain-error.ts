/** An error for users: programs print its message, a line for each problem, and no stack. Any other error is a bug. */
export class PlainError extends Error {
  override readonly name: string = 'PlainError';
}
