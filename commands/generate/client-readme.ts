import { IS_NUMBER, idJson } from '../../contract/key.ts';
import { type Document, withMade } from './document.ts';
import { ID, type Property, plantOf } from './model.ts';

const README = 'client/README.md';

/** Makes the page of the client, which creates the plant that all pages send. */
export function clientReadme(model: readonly Property[], read: (file: string) => string): Document {
  const call = `const plant = await plants.createPlant(${literalOf(plantOf(model))});`;
  return { file: README, text: withMade(README, read(README), 'call', call) };
}

/** The plant in JavaScript. */
function literalOf(plant: object): string {
  const named = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));
  const all = Object.entries(plant).map(([name, value]) => `, ${named(name)}: ${JSON.stringify(value)}`);
  return `{ id: ${idJson(ID)}${IS_NUMBER ? 'n' : ''}${all.join('')} }`;
}
