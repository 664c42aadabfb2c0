import { idJson } from '../../contract/key.ts';
import { examplesOf, withValue } from './contract-value.ts';
import { exampleOf, type Property } from './model.ts';

/** Makes the rest of the contract, which repeats the properties. @param contract the text of openapi.yaml */
export function withModel(contract: string, model: readonly Property[]): string {
  const returned = model.filter(({ name }) => name !== 'id');
  const required = model.filter((each) => each.required);
  const confirmed = returned.filter((each) => each.required);
  const plant = ['components', 'schemas', 'Plant'];
  const [responses, requests] = [examplesOf('200'), ['components', 'examples']];
  const parts: [string[], unknown][] = [
    [[...plant, 'required'], confirmed.map(({ name }) => name)],
    [[...plant, 'properties'], Object.fromEntries(returned.map(ofResponse))],
    [[...plant, 'examples'], [exampleOf(returned)]],
    [[...responses, 'allProperties', 'value'], exampleOf(returned)],
    [[...responses, 'requiredOnly', 'value'], exampleOf(confirmed, 1)],
    [[...requests, 'AllProperties', 'value'], exampleOf(model)],
    [[...requests, 'RequiredOnly', 'value'], { ...exampleOf(required, 1), id: freeId(model) }],
  ];
  return parts.reduce((text, [path, value]) => withValue(text, path, value), contract);
}

/** An id that no plant of the properties' examples has: tools send these plants, too, and an id has one plant. */
function freeId(model: readonly Property[]): unknown {
  const used = model.find(({ name }) => name === 'id')?.schema.examples ?? [];
  for (let n = 9; ; n += 1) {
    const id: unknown = JSON.parse(idJson(n));
    if (!used.includes(id)) return id;
  }
}

function ofResponse({ name, schema: { examples = [], ...schema } }: Property): [string, object] {
  return [name, { ...schema, examples: examples.slice(0, 1) }];
}
