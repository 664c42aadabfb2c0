import { EXAMPLES } from './examples.ts';
import { idJson } from './key.ts';

const LISTED_BY = 'status';
/** Two values that it may have. A text of this length is none, of whatever type that an index can hold. */
const [value, another] = EXAMPLES[LISTED_BY] as [unknown, unknown];
const TOO_LONG = 'x'.repeat(513);

/** Makes the cases of what is no list, as in cases/, of the examples of the property. What is one stands in `checks/list-check.ts`. */
export function listCases() {
  const refused = (name: string, path: string, names: string) => ({ name, path, error: 40002, names });
  const twice = `${pathOf({ value })}&${pathOf({ value }).split('?')[1]}`;
  const cases = [
    { name: 'a list needs a token', path: pathOf({ value }), headers: { authorization: null }, error: 40101 },
    refused('a list needs a value', '/plants', LISTED_BY),
    refused('a list of another value is refused', pathOf({ value: TOO_LONG }), LISTED_BY),
    refused('a value given twice is refused', twice, LISTED_BY),
    refused('a limit of 101 is refused', pathOf({ value, limit: '101' }), 'limit'),
    refused('an empty limit is refused', pathOf({ value, limit: '' }), 'limit'),
    refused('a page that the service did not give is refused', pathOf({ value, page: 'WyJ4Iiwx' }), 'page'),
    refused('the page of another value is refused', pathOf({ value, page: pageAfter(7n, another) }), 'page'),
  ].map((each) => ({ method: 'GET', ...each }));
  return { group: 'listing plants', cases };
}

/** The path of a list. */
export function pathOf({ value, ...others }: { value: unknown; limit?: string; page?: string }): string {
  const more = Object.entries(others).map(([name, text]) => `&${name}=${text}`);
  return `/plants?${encodeURIComponent(LISTED_BY)}=${encodeURIComponent(String(value))}${more.join('')}`;
}

/** The page after an id, as the service gives it. */
export function pageAfter(id: bigint, value: unknown): string {
  return Buffer.from(`[${JSON.stringify(value)},${idJson(id)}]`).toString('base64url');
}
