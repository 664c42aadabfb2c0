/** An error whose message tells a person all there is to know: tools print it as one line, without a stack trace. */
export class PlainError extends Error {
  override readonly name: string = 'PlainError';
}
