import type { HttpResponse } from './send-http.ts';

/**
 * The facts that show that a response is not the service's but that of something in front of it, such as a proxy. Every response of the
 * service has an `x-request-id`, and none is HTML.
 * @returns undefined if it may be the service's
 */
export function notOfService({ headers }: HttpResponse): string[] | undefined {
  const { 'x-request-id': id, 'content-type': type = '', server, via } = headers;
  const isHtml = /^text\/html\b/i.test(type);
  if (id && !isHtml) return undefined;
  const facts = [
    !id && 'no x-request-id',
    isHtml && 'HTML',
    server && `server: ${server}`,
    via && `via: ${via}`,
  ];
  return facts.filter((fact) => typeof fact === 'string');
}

/** What a proxy in front of the service must keep, and which changes do no harm. */
export const PROXY_PAGE = 'docs/company.md#a-proxy-in-front-of-the-service';

/** The facts in words. */
export function inWordsNotOfService(facts: readonly string[]): string {
  return `The response is not the service's but that of a proxy or of AWS: ${facts.join(', ')} (${PROXY_PAGE}).`;
}
