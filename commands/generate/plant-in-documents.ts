import { idJson } from '../../contract/key.ts';
import { type Document, documentWith } from './document.ts';
import type { Property } from './model.ts';
import { CLIENTS, withPropertiesTable } from './properties-table.ts';
import { ID, plantOf } from './sent-plant.ts';

/** The body that the pages send. */
const BODY = 'docs/plant.json';

/** Makes the plant that all pages send, with the properties that a response confirms, and the parts of the pages that have a plant. */
export function plantInDocuments(model: readonly Property[], read: (file: string) => string): Document[] {
  const names = model.filter(({ name }) => name !== 'id').map(({ name }) => name);
  const response = JSON.stringify(plantOf(model));
  const body = `{"id":${idJson(ID)},${response.slice(1)}`;
  return [
    { file: BODY, text: `${body}\n` },
    documentWith('README.md', read('README.md'), { output: `${response}\n${body}` }),
    documentWith(CLIENTS, withPropertiesTable(read(CLIENTS), model), {
      body: `mkdir -p docs && printf '%s\\n' '${body.replaceAll("'", '\\u0027')}' > ${BODY}`,
      response,
      names: `PROPERTIES = ${JSON.stringify(names).replaceAll('","', '", "')}`,
    }),
  ];
}
