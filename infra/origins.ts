/** `http` only for this machine. No `*` in a host, because a browser's Origin never has one. */
const ORIGIN = /^(?:https:\/\/[a-z\d.-]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d+)?$/;

/** What an allowed origin must be. */
export const AN_ORIGIN =
  'an origin as browsers send it, such as https://app.example.com:8443: https (http only for localhost), ' +
  'a host in lower case, a port if it is not 443, no path and no slash at the end';

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
  return ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
