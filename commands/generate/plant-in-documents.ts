import { IS_NUMBER, idJson } from '../../contract/key.ts';
import { type Document, withMade } from './document.ts';
import { exampleOf, type Property } from './model.ts';
import { CLIENTS, withPropertiesTable } from './properties-table.ts';

/** The body that the pages send. */
const BODY = 'docs/plant.json';
/** As a number, one that JavaScript rounds. As a text, an id of 16 digits could be reserved for `npm run verify`. */
const ID = IS_NUMBER ? '9007199254740993' : '993';

/** Makes the plant that all pages send, with the properties that a response confirms, and the parts of the pages that have a plant. */
export function plantInDocuments(model: readonly Property[], read: (file: string) => string): Document[] {
  const returned = model.filter(({ name }) => name !== 'id');
  const plant = exampleOf(returned.filter(({ required }) => required));
  const response = JSON.stringify(plant);
  const body = `{"id":${idJson(ID)},${response.slice(1)}`;
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
    document('client/README.md', read('client/README.md'), {
      call: `const plant = await plants.createPlant(${literalOf(plant)});`,
    }),
  ];
}

/** The plant in JavaScript. */
function literalOf(plant: object): string {
  const named = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));
  const all = Object.entries(plant).map(([name, value]) => `, ${named(name)}: ${JSON.stringify(value)}`);
  return `{ id: ${idJson(ID)}${IS_NUMBER ? 'n' : ''}${all.join('')} }`;
}
