import { readFileSync } from 'node:fs';
import { PlainError } from '../cli/plain-error.ts';

/** `repository` in package.json as npm accepts it, but only with an address that a browser opens too. */
const ADDRESS = /^(?:git\+)?(https:\/\/[\w.-]+\/[\w./-]+?)(?:\.git)?\/?$/;

/** `repository` of package.json: a text or an object with a `url`; absent until the repository has an address. */
type Repository = string | { readonly url?: string };

/**
 * Where a section of a document is: an address if `repository` is set in package.json, else a path in the repository.
 * @param document its path, such as `docs/runbook-alarms.md`
 * @param title the title of the section, one word
 * @throws PlainError if `repository` is set, but is not an https address
 */
export function sectionAddress(
  document: string,
  title: string,
  repository: Repository | undefined = packageJson().repository,
): string {
  const path = `${document}#${title.toLowerCase()}`;
  if (repository === undefined) return path;
  const [, address] =
    ADDRESS.exec((typeof repository === 'string' ? repository : repository.url) ?? '') ?? [];
  if (address === undefined)
    throw new PlainError(
      'package.json: repository must be an address such as https://github.com/OWNER/NAME.',
    );
  return `${address}/blob/main/${path}`;
}

function packageJson(): { readonly repository?: Repository } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}
