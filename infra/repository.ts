import { readFileSync } from 'node:fs';
import { PlainError } from '../cli/plain-error.ts';

/** An address of a repository that a browser opens, without a slash at the end. */
const ADDRESS = /^https:\/\/[\w.-]+\/[\w./-]*\w$(?<!\.git)/;

/**
 * Where a section of a document is: an address if `repository` is set in package.json, else a path in the repository.
 * @param document its path, such as `docs/runbook-alarms.md`
 * @param title the title of the section, one word
 * @throws PlainError if `repository` is set, but is not an https address
 */
export function sectionAddress(document: string, title: string, { repository } = packageJson()): string {
  const path = `${document}#${title.toLowerCase()}`;
  if (repository === undefined) return path;
  if (typeof repository !== 'string' || !ADDRESS.test(repository))
    throw new PlainError(
      'package.json: repository must be an address such as https://github.com/OWNER/NAME.',
    );
  return `${repository}/blob/main/${path}`;
}

function packageJson(): { readonly repository?: unknown } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}
