/** `http` only for this machine. No `*` in a host, because a browser's Origin never has one. */
const ORIGIN = /^(?:https:\/\/[a-z\d.-]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d+)?$/;

const AN_ORIGIN =
  'an origin as browsers send it, such as https://app.example.com:8443: https (http only for localhost), ' +
  'a host in lower case, a port if it is not 443, no path and no slash at the end';

/**
 * Checks a list of allowed origins.
 * @param isProtected whether `*` is refused
 * @returns the first invalid value, and what it must be; undefined if there is none
 */
export function originProblem(origins: readonly string[], isProtected: boolean) {
  if (origins.length === 0) return { value: origins, mustBe: 'a list with at least one origin, or absent' };
  if (origins.includes('*')) {
    if (isProtected) return { value: '*', mustBe: 'a list of origins, because the stage is protected' };
    return origins.length === 1
      ? undefined
      : { value: origins, mustBe: 'either "*" alone or a list of origins' };
  }
  const value = origins.find((each) => !isOrigin(each));
  return value === undefined ? undefined : { value, mustBe: AN_ORIGIN };
}

/** An origin is compared character by character, so it must be in the form that browsers send (RFC 6454 §6.2). */
function isOrigin(text: string): boolean {
  return ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
