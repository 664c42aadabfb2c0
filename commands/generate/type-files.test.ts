import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leftoverTypes, typeFiles } from './type-files.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('a type of the model comes with the types that it imports, and with those of the rest of the function', () => {
  const made = typeFiles("import { email } from './property-types/email.ts';\n", read);
  const textOf = (name: string) => made.find(({ file }) => file === `lambda/property-types/${name}.ts`)?.text;
  expect(textOf('email')?.split('\n').slice(0, 4)).toEqual([
    '// `npm run generate` writes this file from commands/generate/property-types/email.ts.',
    "import { textOf } from './pattern.ts';",
    "import type { PropertyType } from './property-type.ts';",
    '',
  ]);
  expect(textOf('pattern')).toContain('export function textOf(');
  // lambda/plant.ts imports it.
  expect(textOf('object')?.split('\n').slice(1, 3)).toEqual([
    "import { Failure } from '../errors.ts';",
    "import { type PropertyType, wrong } from './property-type.ts';",
  ]);
  expect(textOf('date')).toBeUndefined();
  expect(textOf('property-type')).toBeUndefined();
});

test('a file that was written is left over once nothing uses it, and one that is written by hand never', () => {
  const others = typeFiles('', read).filter(({ file }) => !file.endsWith('/object.ts'));
  expect(leftoverTypes(others, read)).toContain('lambda/property-types/object.ts');
  expect(leftoverTypes([], read)).not.toContain('lambda/property-types/int64.ts');
});
