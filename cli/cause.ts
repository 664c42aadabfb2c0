import { proxyVariable } from './proxy.ts';

/**
 * The cause of a missing response, in a few words; `fetch` has it as the cause of its error.
 * @param limitMs how long the response was waited for, in milliseconds
 */
export function causeOf(error: unknown, limitMs: number): string {
  const { code, name, message, cause } = Object(error);
  if (cause) return causeOf(cause, limitMs);
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return `none within ${limitMs / 1000} s`;
  // The message has the address, which is the proxy's if that cannot be reached.
  const variable = proxyVariable();
  return variable === undefined ? (code ?? message) : `${message}; ${variable} is set`;
}
