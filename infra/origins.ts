import { isLoopback } from '../lambda/loopback.ts';

/** `scheme://host[:port]`. No `*` in a host, because a browser's Origin never has one. */
const ORIGIN = /^([a-z][a-z\d+.-]*):\/\/(?:[\w.-]+|\[::1\])(?::\d{1,5})?$/;

/** Pages of these send `null`, or have another page's origin (URL Standard, "origin"; Fetch Standard, "local scheme"). */
const WITHOUT_ORIGIN = ['about', 'blob', 'data', 'file', 'javascript'];

/** What an allowed origin must be. */
export const AN_ORIGIN =
  'an origin as browsers send it, such as https://app.example.com:8443 or capacitor://localhost: http only for 127.0.0.1, ' +
  '[::1] and names that end with localhost, the host in lower case, a port if it is not the usual one, no path and no slash at the end';

/**
 * Checks a list of allowed origins.
 * @param isProtected whether `*` alone, for any origin, is refused
 * @returns the first that is not {@link AN_ORIGIN}; undefined if there is none
 */
export function wrongOrigin(origins: readonly string[], isProtected: boolean): string | undefined {
  if (!isProtected && origins.length === 1 && origins[0] === '*') return undefined;
  return origins.find((each) => !isOrigin(each));
}

/** An origin is compared character by character, so it must be in the form that browsers send (RFC 6454 §6.2). */
function isOrigin(text: string): boolean {
  const [, scheme] = ORIGIN.exec(text) ?? [];
  if (scheme === undefined || !URL.canParse(text)) return false;
  const { hostname, origin } = new URL(text);
  if (scheme === 'https') return origin === text;
  // A browser takes every name under `localhost` for this machine (RFC 6761 §6.3).
  if (scheme === 'http') return origin === text && (isLoopback(hostname) || hostname.endsWith('.localhost'));
  // A scheme of an app or an extension: its platform says what its origin is. URLs of ws or ftp have an origin, but are of no pages.
  return origin === 'null' && !WITHOUT_ORIGIN.includes(scheme);
}
