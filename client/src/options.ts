// Checks of options: each throws a TypeError or a RangeError that names the option.

/** The URL of the operation. @throws TypeError if `baseUrl` is no address before /plants */
export function plantsUrl(baseUrl: string | URL): string {
  const { href, origin, pathname } = parsedUrl(baseUrl);
  if (!/^https?:/.test(href) || href !== origin + pathname) throw invalidBaseUrl();
  const path = pathname.replace(/\/+$/, '');
  if (path.endsWith('/plants')) throw new TypeError('baseUrl must be the address before /plants.');
  return `${origin}${path}/plants`;
}

function parsedUrl(baseUrl: string | URL): URL {
  try {
    return new URL(baseUrl);
  } catch {
    // The engine's own "Invalid URL" does not name the option.
    throw invalidBaseUrl();
  }
}

/** Does not contain the value, which may have a password. */
function invalidBaseUrl(): TypeError {
  return new TypeError(
    'baseUrl must be a whole http or https URL, such as https://plants.example/prod, without a user name, query or fragment.',
  );
}

/** @throws TypeError without the token: messages end up in logs */
export function checkedToken(token: unknown): string {
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw new TypeError('token must be an access token without spaces.');
  return token;
}

export function checkFunction(option: string, value: unknown): void {
  if (value != null && typeof value !== 'function') throw new TypeError(`${option} must be a function.`);
}

export function checkSignal(value: unknown): void {
  if (value != null && !(value instanceof AbortSignal)) throw new TypeError('signal must be an AbortSignal.');
}

export function positive(option: string, value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) throw new RangeError(`${option} must be a number over 0.`);
  return value;
}

export function whole(option: string, value: number): number {
  if (positive(option, value) !== Infinity && !Number.isInteger(value))
    throw new RangeError(`${option} must be a whole number or Infinity.`);
  return value;
}
