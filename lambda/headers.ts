/** The headers of an API Gateway proxy event, as far as they can be trusted: not at all. */
export interface HeaderSource {
  readonly headers?: unknown;
  readonly multiValueHeaders?: unknown;
}

/**
 * All values that a request gave for a header, in order. Names are compared without case (RFC 9110 §5.1).
 * `multiValueHeaders` is the whole truth where it is present; `headers` keeps only the last value of each.
 * @param name the header's name in lower case
 */
export function headerValues(event: HeaderSource, name: string): string[] {
  const many = valuesIn(event.multiValueHeaders, name);
  return many.length > 0 ? many : valuesIn(event.headers, name);
}

function valuesIn(headers: unknown, name: string): string[] {
  if (typeof headers !== 'object' || headers === null) return [];
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === 'string');
}
