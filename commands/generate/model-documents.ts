import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMap, isScalar, type Node, parseDocument, stringify } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import { IS_NUMBER, idJson, idOf } from '../../contract/key.ts';
import { type Document, type Part, withPart } from './document.ts';
import { CONTRACT, exampleOf, type Property } from './model.ts';

const TABLE = 'docs/clients.md';

/** The documents that show a request or a response. */
const WITH_BODIES = ['README.md', TABLE, 'docs/client-tools.md', 'client/README.md'];

const TABLE_ROWS: Part = {
  name: 'the table of properties',
  pattern: /(?<=^\| property .*\n\|---.*\n)( *)(?:\|.*\n)+/m,
};

/** A body in quotes, and a line or a span that is a plant. */
const BODY = /(?<=['`]|^)\{"(?!error").*\}(?=['`]|$)/gm;

/** In the Python of a page: a call, and the properties that a response confirms. */
const PYTHON_CALL = /(?<=create_plant\()\{.+?\}(?=\))/g;
const PYTHON_PROPERTIES = /(?<=^PROPERTIES = )\[.*\]$/gm;

/** A call of the client, and an option of a command. */
const CALL = /(?<=createPlant\(\{ id: )"?([^,"]+?)n?"?, .*(?= \}\))/g;
const OPTION = /(?<=--id )\S+/g;

/** Makes what repeats the properties: the rest of the contract, the table of properties, and the bodies in documents. */
export function modelDocuments(read: (file: string) => string, model: readonly Property[]): Document[] {
  const returned = model.filter(({ name }) => name !== 'id');
  const required = model.filter((property) => property.required);
  const schemas = ['components', 'schemas', 'Plant'];
  const responses = [
    'paths',
    '/plants',
    'post',
    'responses',
    '200',
    'content',
    'application/json',
    'examples',
  ];
  const examples = ['components', 'examples'];
  const parts: [string[], unknown][] = [
    [[...schemas, 'required'], required.filter(({ name }) => name !== 'id').map(({ name }) => name)],
    [
      [...schemas, 'properties'],
      Object.fromEntries(returned.map(({ name, schema }) => [name, ofResponse(schema)])),
    ],
    [[...schemas, 'examples'], [exampleOf(returned)]],
    [[...responses, 'allProperties', 'value'], exampleOf(returned)],
    [[...responses, 'requiredOnly', 'value'], withoutId(exampleOf(required, 1))],
    [[...examples, 'AllProperties', 'value'], exampleOf(model)],
    [[...examples, 'RequiredOnly', 'value'], withOwnId(exampleOf(required, 1), model)],
  ];
  const contract = parts.reduce((text, [path, value]) => withValue(text, path, value), read(CONTRACT));
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile({
    properties: Object.fromEntries(model.map(({ name, schema }) => [name, schema])),
    required: required.map(({ name }) => name).filter((name) => name !== 'id'),
    additionalProperties: false,
  });
  return [
    { file: CONTRACT, text: contract, emptyRows: [] },
    ...WITH_BODIES.map((file) => {
      const plant = exampleOf(required);
      const text = read(file)
        .replaceAll(BODY, (body) => (fits(JSON.parse(body)) ? body : bodyLike(body, plant)))
        .replaceAll(CALL, (_, id) => `${idIn(id)}${IS_NUMBER ? 'n' : ''}, ${argumentsOf(withoutId(plant))}`)
        .replaceAll(OPTION, idOf)
        .replaceAll(PYTHON_CALL, (call) => (fits(fromPython(call)) ? call : toPython(exampleOf(required))))
        .replaceAll(PYTHON_PROPERTIES, toPython(returned.map(({ name }) => name)));
      const withTable =
        file === TABLE
          ? withPart(file, text, TABLE_ROWS, model.map((each) => rowOf(each, text)).join(''))
          : text;
      return { file, text: withTable, emptyRows: [] };
    }),
  ];
}

/** The plant of the examples, with the id of a body if it has one. A quote would end the body in a shell. */
function bodyLike(body: string, plant: Record<string, unknown>): string {
  const [, id] = /"id": ?"?([^",}]+)/.exec(body) ?? [];
  const text = JSON.stringify(withoutId(plant)).replaceAll("'", '\\u0027');
  return id === undefined ? text : `{"id":${idIn(id)},${text.slice(1)}`;
}

/** The id of an example, in JSON. As a text, one of 16 digits could be reserved for `npm run verify`. */
function idIn(id: string): string {
  return idJson(IS_NUMBER ? id : id.slice(-3));
}

/** A dictionary of Python in which no text has a quote. */
function fromPython(dictionary: string): unknown {
  const words = { True: 'true', False: 'false' };
  const json = dictionary
    .replaceAll("'", '"')
    .replaceAll(/\b(True|False)\b/g, (word) => words[word as keyof typeof words]);
  return JSON.parse(json);
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
  return Object.entries(plant)
    .map(
      ([name, value]) => `${JSON.stringify(name).replace(/^"([a-z]\w*)"$/i, '$1')}: ${JSON.stringify(value)}`,
    )
    .join(', ');
}

/** With an id that no plant of the properties' examples has: tools send these plants, too, and an id has one plant. */
function withOwnId(plant: Record<string, unknown>, model: readonly Property[]): Record<string, unknown> {
  const used = model.find(({ name }) => name === 'id')?.schema.examples ?? [];
  const isFree = (id: unknown) => !used.includes(id);
  for (let n = 9; ; n += 1) {
    const id: unknown = JSON.parse(idJson(n));
    if (isFree(id)) return { ...plant, id };
  }
}

function withoutId({ id: _, ...plant }: Record<string, unknown>): Record<string, unknown> {
  return plant;
}

function ofResponse({ examples = [], ...schema }: Property['schema']): object {
  return { ...schema, examples: examples.slice(0, 1) };
}

/** The row of a property; its meaning stays as it was written by hand while its type, and whether it is required, are the same. */
function rowOf(property: Property, text: string): string {
  const type = typeIn(property.schema).replaceAll('|', '\\|');
  const start = `| \`${property.name}\` | ${type} | ${property.required ? 'required' : 'optional'}. `;
  const written = text.split('\n').find((line) => line.startsWith(start));
  return `${written ?? `${start}${meaningOf(property)} |`}\n`;
}

function typeIn({
  type,
  description: _,
  examples: __,
  items,
  properties = {},
  required = [],
  ...keywords
}: Property['schema']): string {
  const words = Object.entries(keywords).map(([name, value]) =>
    name === 'format' ? value : `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const parts = Object.entries(properties).map(
    ([name, part]) => `\`${name}\` (${typeIn(part)}${required.includes(name) ? ', required' : ''})`,
  );
  const whole = items ? `${type} of (${typeIn(items)})` : [type, ...parts].join(' ');
  return [whole, ...words].join(', ');
}

function meaningOf({ schema: { description = '' } }: Property): string {
  return description
    .trim()
    .replace(/\.$/, '')
    .replaceAll(/\s*\n\s*/g, ' ');
}

/** Writes a value of a YAML document, and leaves all else as it is. @throws Error if there is none at the path */
function withValue(text: string, path: readonly string[], value: unknown): string {
  const parent = parseDocument(text).getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    : undefined;
  const [start] = (pair?.key as Node | undefined)?.range ?? [];
  const [, end] = (pair?.value as Node | undefined)?.range ?? [];
  if (start === undefined || end === undefined)
    throw new PlainError(`${CONTRACT} lacks ${path.join('.')}: bring it back as it was.`);
  const indent = ' '.repeat(start - text.lastIndexOf('\n', start) - 1);
  const written = stringify({ [path.at(-1) ?? '']: value }, { lineWidth: 0, singleQuote: true }).trimEnd();
  const isBlock = text[end - 1] === '\n';
  return `${text.slice(0, start)}${written.replaceAll('\n', `\n${indent}`)}${isBlock ? '\n' : ''}${text.slice(end)}`;
}
