import { Ajv2020 } from 'ajv/dist/2020.js';
import { IS_NUMBER, idJson, idOf } from '../../contract/key.ts';
import { exampleOf, type Property } from './model.ts';

/** A body in quotes, and a line or a span that is a plant. */
const BODY = /(?<=['`]|^)\{"(?!error").*\}(?=['`]|$)/gm;

/** In the Python of a page: a call, and the properties that a response confirms. */
const PYTHON_CALL = /(?<=create_plant\()\{.+?\}(?=\))/g;
const PYTHON_PROPERTIES = /(?<=^PROPERTIES = )\[.*\]$/gm;

/** A call of the client, and an option of a command. */
const CALL = /(?<=createPlant\(\{ id: )"?([^,"]+?)n?"?, .*(?= \}\))/g;
const OPTION = /(?<=--id )\S+/g;

/** Makes the plants in the code of a document: a body that the model allows stays as it was written by hand. */
export function withBodies(text: string, model: readonly Property[]): string {
  const returned = model.filter(({ name }) => name !== 'id');
  const required = model.filter((each) => each.required);
  const confirmed = returned.filter((each) => each.required);
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile({
    properties: Object.fromEntries(model.map(({ name, schema }) => [name, schema])),
    required: confirmed.map(({ name }) => name),
    additionalProperties: false,
  });
  const plant = exampleOf(confirmed);
  return text
    .replaceAll(BODY, (body) => (fits(JSON.parse(body)) ? body : bodyLike(body, plant)))
    .replaceAll(CALL, (_, id) => `${idJson(numberOf(id))}${IS_NUMBER ? 'n' : ''}, ${argumentsOf(plant)}`)
    .replaceAll(OPTION, (id) => idOf(numberOf(id)))
    .replaceAll(PYTHON_CALL, (call) =>
      fits(JSON.parse(jsonOfPython(call))) ? call : toPython(exampleOf(required)),
    )
    .replaceAll(PYTHON_PROPERTIES, toPython(returned.map(({ name }) => name)));
}

/** The plant of the examples, with the id of a body if it has one. A quote would end the body in a shell. */
function bodyLike(body: string, plant: Record<string, unknown>): string {
  const [, id] = /"id": ?"?([^",}]+)/.exec(body) ?? [];
  const text = JSON.stringify(plant).replaceAll("'", '\\u0027');
  return id === undefined ? text : `{"id":${idJson(numberOf(id))},${text.slice(1)}`;
}

/** The number of an example's id. As a text, one of 16 digits could be reserved for `npm run verify`. */
function numberOf(id: string): string {
  return IS_NUMBER ? id : id.slice(-3);
}

/** The JSON of a dictionary of Python that `toPython` has written, or a hand like it. */
export function jsonOfPython(dictionary: string): string {
  const token = /'([^'\\]*)'|"(?:[^"\\]|\\.)*"|True|False/g;
  return dictionary.replaceAll(token, (whole, text?: string) => {
    if (text !== undefined) return JSON.stringify(text);
    return whole.startsWith('"') ? whole : whole.toLowerCase();
  });
}

function toPython(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value).replaceAll(/^"([^'\\]*)"$/g, "'$1'");
  return `{${Object.entries(value)
    .map(([name, each]) => `'${name}': ${toPython(each)}`)
    .join(', ')}}`;
}

function argumentsOf(plant: object): string {
  const named = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));
  const all = Object.entries(plant).map(([name, value]) => `${named(name)}: ${JSON.stringify(value)}`);
  return all.join(', ');
}
