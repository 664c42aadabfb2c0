import { type Document, withMade } from './document.ts';
import type { Property } from './model.ts';
import { plantOfPages } from './plant-of-pages.ts';
import { CLIENTS, withPropertiesTable } from './properties-table.ts';

/** The body that the pages send. */
const BODY = 'docs/plant.json';

/** Makes the plant that all pages send, with the properties that a response confirms, and the parts of the pages that have a plant. */
export function plantInDocuments(model: readonly Property[], read: (file: string) => string): Document[] {
  const returned = model.filter(({ name }) => name !== 'id');
  const { id, plant } = plantOfPages(model);
  const response = JSON.stringify(plant);
  const body = `{"id":${id},${response.slice(1)}`;
  const document = (file: string, text: string, made: Readonly<Record<string, string>>) => {
    const blocks = Object.entries(made);
    return {
      file,
      text: blocks.reduce((before, [name, block]) => withMade(file, before, name, block), text),
      emptyRows: [],
    };
  };
  return [
    { file: BODY, text: `${body}\n`, emptyRows: [] },
    document('README.md', read('README.md'), { output: `${response}\n${body}` }),
    document(CLIENTS, withPropertiesTable(read(CLIENTS), model), {
      body: `mkdir -p docs && cat > ${BODY} <<'END'\n${body}\nEND`,
      response,
      names: `PROPERTIES = ${JSON.stringify(returned.map(({ name }) => name)).replaceAll('","', '", "')}`,
    }),
  ];
}
