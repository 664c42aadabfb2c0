import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingsSchema } from '../../infra/stage-settings.ts';
import type { Json } from './synth.ts';

// `npm run tables` is this test with --update, which writes the file that it expects.

const FILE = '../../docs/stage-settings.md';

const { properties = {}, required = [] }: Json = settingsSchema();

/** What a setting may be, in words. */
function valuesOf(schema: Json): string {
  if (schema.properties) {
    const parts = Object.entries<Json>(schema.properties).map(([name, each]) => {
      const isOptional = !schema.required?.includes(name);
      return `\`${name}\`${isOptional ? ' (optional)' : ''}: ${each.properties ? `{ ${valuesOf(each)} }` : valuesOf(each)}`;
    });
    return parts.join('; ');
  }
  if (schema.anyOf) return schema.anyOf.map(valuesOf).join(' or ');
  if (schema.items) return `list: ${valuesOf(schema.items)}`;
  if (schema.enum) return `${schema.enum.slice(0, -1).join(', ')} or ${schema.enum.at(-1)}`;
  if (schema.const) return `\`${schema.const}\``;
  if (schema.format) return `${schema.format} address`;
  if (schema.type === 'integer') return range(schema);
  const [example] = schema.examples ?? [];
  if (example === undefined) return wordFor(schema);
  expect(example).toMatch(new RegExp(schema.pattern ?? ''));
  return `${wordFor(schema)}, such as \`${example}\``;
}

function range({ minimum, exclusiveMinimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Json): string {
  const from = `integer from ${(minimum ?? exclusiveMinimum + 1).toLocaleString('en-US')}`;
  return maximum < Number.MAX_SAFE_INTEGER ? `${from} to ${maximum.toLocaleString('en-US')}` : from;
}

const wordFor = ({ type = '' }: Json) => (type === 'string' ? 'text' : type);

const SETTINGS = Object.entries<Json>(properties).map(([name, schema]) => {
  const absent = required.includes(name) ? '**required**' : schema.absent;
  return `| \`${name}\` | ${valuesOf(schema)} | ${absent} | ${schema.description} |\n`;
});

test('docs/stage-settings.md has what the code says: npm run tables writes it', async () => {
  const text = readFileSync(new URL(FILE, import.meta.url), 'utf8');
  // The first table.
  const expected = text.replace(/(?<=^\|---\|.*\n)(?:\|.*\n)*/m, () => SETTINGS.join(''));
  await expect(expected).toMatchFileSnapshot(FILE);
});
