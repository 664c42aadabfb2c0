import { EXAMPLES, LEAST, OTHER, type Plant, PROPERTIES } from './examples.ts';

const LISTED_BY = 'status';
/** Two values that it may have. A text of this length is none, of whatever type that an index can hold. */
const [value, another] = EXAMPLES[LISTED_BY] as [unknown, unknown];
const TOO_LONG = 'x'.repeat(513);

/** The case that lists plants which were just stored: DynamoDB updates an index after the table. */
export const LATE_CASE = 'a page has the plants with a value by id, and the token of the next page';

/** Makes the cases of lists, as in cases/, of the examples of the property. Their ids are from 19100. */
export function listCases() {
  // It begins after an id, so that it is the same whatever else the table has.
  const first = {
    name: LATE_CASE,
    path: pathOf({ value, limit: '2', page: pageAfter(19_100, value) }),
    given: [
      plantWith(19_104, value, LEAST),
      plantWith(19_103, value, OTHER),
      plantWith(19_102, another, LEAST),
      plantWith(19_101, value, LEAST),
    ],
    text: `{"plants":[${plantWith(19_101, value, LEAST)},${plantWith(19_103, value, OTHER)}],"next":"${pageAfter(19_103, value)}"}`,
  };
  const refused = (what: string, path: string, names: string) => ({ name: what, path, error: 40002, names });
  const cases = [
    first,
    { name: 'a list needs a token', path: pathOf({ value }), headers: { authorization: null }, error: 40101 },
    refused('a list needs a value', '/plants', LISTED_BY),
    refused('a list of another value is refused', pathOf({ value: TOO_LONG }), LISTED_BY),
    refused(
      'a value given twice is refused',
      `${pathOf({ value })}&${pathOf({ value }).split('?')[1]}`,
      LISTED_BY,
    ),
    refused('a limit of 101 is refused', pathOf({ value, limit: '101' }), 'limit'),
    refused('an empty limit is refused', pathOf({ value, limit: '' }), 'limit'),
    refused('a page that the service did not give is refused', pathOf({ value, page: 'WyJ4Iiwx' }), 'page'),
    refused(
      'the page of another value is refused',
      pathOf({ value, page: pageAfter(19_105, another) }),
      'page',
    ),
  ].map((each) => ({ method: 'GET', ...each }));
  return { group: 'listing plants', cases };
}

function pathOf({ value, ...others }: { value: unknown; limit?: string; page?: string }): string {
  const more = Object.entries(others).map(([name, text]) => `&${name}=${text}`);
  return `/plants?${encodeURIComponent(LISTED_BY)}=${encodeURIComponent(String(value))}${more.join('')}`;
}

function pageAfter(id: number, value: unknown): string {
  return `⟨base64 [${JSON.stringify(value)},⟨id ${id}⟩]⟩`;
}

/** A plant in the order of openapi.yaml, which a response has. */
function plantWith(id: number, value: unknown, others: Plant): string {
  const plant: Plant = { ...others, [LISTED_BY]: value };
  const members = Object.keys(PROPERTIES).flatMap((name) => {
    if (name === 'id') return [`"id":⟨id ${id}⟩`];
    return Object.hasOwn(plant, name) ? [`${JSON.stringify(name)}:${JSON.stringify(plant[name])}`] : [];
  });
  return `{${members}}`;
}
