import { idJson } from '../../contract/key.ts';
import { type Document, withMade } from './document.ts';
import { ID, type Property, plantOf } from './model.ts';
import { CLIENTS, withPropertiesTable } from './properties-table.ts';

/** The body that the pages send. */
const BODY = 'docs/plant.json';

/** Makes a document whose parts are written whole, by their names. */
function documentWith(file: string, text: string, made: Readonly<Record<string, string>>): Document {
  const blocks = Object.entries(made);
  return { file, text: blocks.reduce((before, [name, block]) => withMade(file, before, name, block), text) };
}

/** Makes the plant that all pages send, with the properties that a response confirms, and the parts of the pages that have a plant. */
export function plantInDocuments(model: readonly Property[], read: (file: string) => string): Document[] {
  const names = model.filter(({ name }) => name !== 'id').map(({ name }) => name);
  const response = JSON.stringify(plantOf(model));
  const body = `{"id":${idJson(ID)},${response.slice(1)}`;
  return [
    { file: BODY, text: `${body}\n` },
    documentWith('README.md', read('README.md'), { output: `${response}\n${body}` }),
    documentWith(CLIENTS, withPropertiesTable(read(CLIENTS), model), {
      body: `mkdir -p docs && cat > ${BODY} <<'END'\n${body}\nEND`,
      response,
      names: `PROPERTIES = ${JSON.stringify(names).replaceAll('","', '", "')}`,
    }),
  ];
}
