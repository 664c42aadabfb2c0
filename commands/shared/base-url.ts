import { UsageError } from '../../cli/command-line.ts';

/**
 * Reads the address of a service, as the client takes it.
 * @throws UsageError, without the address, which may have a password, if it is not an http or https URL, or has more than a path; or
 *   if it ends with /plants
 */
export function readBaseUrl(text: string): string {
  const { href = '', origin, pathname } = URL.parse(text) ?? {};
  if (!/^https?:/.test(href) || href !== `${origin}${pathname}`)
    throw new UsageError(
      '--url must be a whole http or https URL, such as http://127.0.0.1:3000 or https://…/prod, without a user name, query or fragment.',
    );
  const baseUrl = href.replace(/\/+$/, '');
  // The likeliest mistake. No stage can have this name.
  if (baseUrl.endsWith('/plants'))
    throw new UsageError(`Give the address before /plants: --url ${baseUrl.slice(0, -'/plants'.length)}`);
  return baseUrl;
}
