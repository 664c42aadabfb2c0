import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { read } from '../../test/support/project.ts';

const recipes: { name: string; generator: string; run?: string }[] = parse(
  readFileSync(new URL('recipes.yaml', import.meta.url), 'utf8'),
);

test.each(recipes.filter(({ run }) => run))(
  'the documents name the generator of $name, as it was tried',
  ({ name, generator }) => {
    expect(read('docs/client-tools.md')).toContain(`\n| ${generator} |`);
    const row = read('lab/clients/README.md')
      .split('\n')
      .find((line) => line.startsWith(`| ${generator} |`));
    expect(row).toContain(`](${name}/`);
  },
);
