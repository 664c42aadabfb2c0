import { CONTRACT } from './contract-value.ts';
import { type Document, sourceFile } from './document.ts';
import type { Property } from './model.ts';
import { doublesOf, field, member, nameOf } from './property-source.ts';

const HEAD = `// \`npm run generate\` writes this file from NewPlant in ${CONTRACT}.\n`;

/** What `typeof` says of the values of a type, if it is not the type's name. */
const TYPES: Record<string, readonly string[]> = { integer: ['bigint', 'number'], array: ['object'] };

/** Makes the sources that list the properties of a plant: that of the function, and that of the client. */
export function modelSources(model: readonly Property[]): [Document, Document] {
  const kinds = [...new Set(model.flatMap(({ source }) => source.kinds))].sort();
  const imports = kinds.map((kind) => `import { ${nameOf(kind)} } from './property-types/${kind}.ts';\n`);
  const sent = model.map((property) => {
    const { type, description } = property.schema;
    const safe = type === 'integer' ? '\nA `number` must be a safe integer.' : '';
    const text = `${description?.trimEnd()}${safe}`;
    const comment = text.includes('\n') ? `\n${text}`.replaceAll('\n', '\n * ').concat('\n') : ` ${text}`;
    return `/**${comment} */\n${field(property)}`;
  });
  const returned = model.filter(({ name }) => name !== 'id').map((property) => field(property, false));
  const types = model.map(({ name, schema: { type }, required }) => {
    return `${JSON.stringify(name)}: { types: ${JSON.stringify(TYPES[type] ?? [type])}, required: ${required} }`;
  });
  return [
    sourceFile(
      'lambda/properties.ts',
      `${HEAD}${imports.join('')}
/** The properties of a plant, in the order of the response. */
export const PROPERTIES = { ${model.map(member)} } as const;
`,
    ),
    sourceFile(
      'client/src/properties.ts',
      `${HEAD}import type { Doubles } from './json.ts';

/** A plant to create. */
export interface NewPlant {
  ${sent.join('\n')}
}

/** A plant as the service has it: the values that were sent, so an integer is a \`bigint\` if it was sent as one. */
export interface Plant {
  ${returned.join('\n')}
}

/** The properties in the order in which they are sent, and what \`typeof\` says of them; also a list is an object. */
export const PROPERTIES = { ${types} } as const;

/** Where a plant has doubles. */
export const DOUBLES: Doubles = ${doublesOf(model) ?? '{}'};
`,
    ),
  ];
}
