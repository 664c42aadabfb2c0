import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { settings } from '../../infra/stage-settings.ts';

// `npm run tables` is this test with --update, which writes the file that it expects.

const FILE = '../../docs/stage-settings.md';

test('docs/stage-settings.md has what the code says, with the values in words: npm run tables writes it', async () => {
  const text = readFileSync(new URL(FILE, import.meta.url), 'utf8');
  const rows = Object.entries<ZodType>(settings.shape).map(([name, schema]) => {
    const { absent = '**required**', description } = schema.meta() ?? {};
    const [, values = ' '] = RegExp(`^\\| \`${name}\` \\|(.+?)\\|`, 'm').exec(text) ?? [];
    return `| \`${name}\` |${values}| ${absent} | ${description} |\n`;
  });
  // The first table.
  const expected = text.replace(/(?<=^\|---\|.*\n)(?:\|.*\n)*/m, () => rows.join(''));
  await expect(expected).toMatchFileSnapshot(FILE);
});
