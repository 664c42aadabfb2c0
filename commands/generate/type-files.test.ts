import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leftoverTypes, typeFiles } from './type-files.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('a type of the model comes with the types that it imports, but for those that the function has anyway', () => {
  const made = typeFiles("import { email } from './property-types/email.ts';\n", read);
  const textOf = (name: string) => made.find(({ file }) => file === `lambda/property-types/${name}.ts`)?.text;
  expect(textOf('email')?.split('\n').slice(0, 4)).toEqual([
    '// `npm run generate` writes this file from commands/generate/property-types/email.ts.',
    "import { textOf } from './pattern.ts';",
    "import type { PropertyType } from './property-type.ts';",
    '',
  ]);
  expect(textOf('pattern')).toContain('export function textOf(');
  expect(textOf('date')).toBeUndefined();
  expect(
    typeFiles("import { int32 } from './property-types/int32.ts';\n", read).map(({ text }) => text),
  ).toEqual([expect.stringContaining("\nimport { integer } from './integer.ts';\n")]);
});

test('a file that was written is left over once nothing uses it, and one that is written by hand never', () => {
  const written = (file: string) =>
    file.endsWith('/text.ts')
      ? '// `npm run generate` writes this file from commands/generate/property-types/text.ts.\n'
      : '// By hand.\n';
  expect(leftoverTypes([], written)).toEqual(['lambda/property-types/text.ts']);
});
