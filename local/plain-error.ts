/** An error for users: tools print its message as one line, without a stack trace. */
export class PlainError extends Error {
  override readonly name: string = 'PlainError';
}
