import { IS_NUMBER } from '../../contract/key.ts';
import { type Document, withMade } from './document.ts';
import type { Property } from './model.ts';
import { plantOfPages } from './plant-of-pages.ts';

const PAGE = 'client/README.md';

/** Makes the call in the page of the client's package. */
export function clientPage(model: readonly Property[], read: (file: string) => string): Document {
  const { id, plant } = plantOfPages(model);
  const named = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));
  const all = Object.entries(plant).map(([name, value]) => `, ${named(name)}: ${JSON.stringify(value)}`);
  const literal = `{ id: ${id}${IS_NUMBER ? 'n' : ''}${all.join('')} }`;
  const call = `const plant = await plants.createPlant(${literal});`;
  return { file: PAGE, text: withMade(PAGE, read(PAGE), 'call', call) };
}
