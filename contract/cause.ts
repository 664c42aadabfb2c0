import { proxyVariable } from '../cli/proxy.ts';
import { RESPONSE_MS } from './send-http.ts';

/** The cause of a missing response, in a few words; `fetch` has it as the cause of its error. */
export function causeOf(error: unknown): string {
  const { code, name, message, cause } = Object(error);
  if (cause) return causeOf(cause);
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return `none within ${RESPONSE_MS / 1000} s`;
  // The message has the address, which is the proxy's if that cannot be reached.
  const variable = proxyVariable();
  return variable === undefined ? (code ?? message) : `${message}; ${variable} is set`;
}
