import { hasProxy } from '../cli/proxy.ts';

/** The longest that a response may take, in milliseconds: the gateway's own timeout, and a slow upload. */
export const RESPONSE_MS = 60_000;

/** The cause of a missing response, in a few words; `fetch` has it as the cause of its error. */
export function causeOf(error: unknown): string {
  const { code, name, message, cause } = Object(error);
  if (cause) return causeOf(cause);
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return `none within ${RESPONSE_MS / 1000} s`;
  // The message has the address, which is the proxy's if that cannot be reached.
  return hasProxy() ? `${message}; HTTPS_PROXY is set` : (code ?? message);
}
