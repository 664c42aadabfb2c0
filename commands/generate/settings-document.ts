import { settingsSchema } from '../../infra/stage-settings.ts';
import { type Document, tableIn } from './document.ts';

const FILE = 'docs/stage-settings.md';

/** What this reads of the JSON schema of a setting. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly examples?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly absent?: string;
  readonly description?: string;
}

/** Makes the table of settings. */
export function settingsDocument(read: (file: string) => string): Document {
  const { properties = {}, required = [] }: Schema = settingsSchema();
  const rows = Object.entries(properties).map(([name, schema]) => {
    const absent = required.includes(name) ? '**required**' : schema.absent;
    return [`\`${name}\``, valuesOf(schema), String(absent), String(schema.description)];
  });
  return { file: FILE, text: tableIn(FILE, read(FILE), 'settings').withRows(rows) };
}

/** What a setting may be, in words. @throws Error if its example is none */
function valuesOf(schema: Schema): string {
  if (schema.properties) {
    const parts = Object.entries(schema.properties).map(([name, each]) => {
      const isOptional = !schema.required?.includes(name);
      const values = each.properties ? `{ ${valuesOf(each)} }` : valuesOf(each);
      return `\`${name}\`${isOptional ? ' (optional)' : ''}: ${values}`;
    });
    return parts.join('; ');
  }
  if (schema.anyOf) return schema.anyOf.map(valuesOf).join(' or ');
  if (schema.items) return `list: ${valuesOf(schema.items)}`;
  if (schema.enum) return `${schema.enum.slice(0, -1).join(', ')} or ${schema.enum.at(-1)}`;
  if (schema.const) return `\`${schema.const}\``;
  if (schema.format) return `${schema.format} address`;
  if (schema.type === 'integer') return range(schema);
  const { type, pattern = '', examples: [example] = [] } = schema;
  const kind = type === 'string' ? 'text' : String(type);
  if (example === undefined) return kind;
  if (!new RegExp(pattern).test(example))
    throw new Error(`The example ${example} does not match ${pattern}.`);
  return `${kind}, such as \`${example}\``;
}

function range({ minimum, exclusiveMinimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  const from = `integer from ${(minimum ?? exclusiveMinimum + 1).toLocaleString('en-US')}`;
  return maximum < Number.MAX_SAFE_INTEGER ? `${from} to ${maximum.toLocaleString('en-US')}` : from;
}
