import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../test/support/project.ts';
import { manifestsOf, planCopy } from './plan.ts';
import { renamed } from './record.ts';
import { readTree } from './tree.ts';

const NAMES_OF_COPY = { name: 'shipment', plural: 'shipments', examples: ['Crate 7', 'Crate 8', 'Crate'] };
const HOUSE = renamed(readTree(ROOT), { ...NAMES_OF_COPY, parts: [] });
const ALL = manifestsOf(HOUSE);
/** What others need comes with these. */
const NAMES = ALL.map(({ name }) => name).filter((name) => !ALL.some(({ needs }) => needs.includes(name)));
/** All of them: each number below 2^n chooses by its bits. */
const SUBSETS = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
  NAMES.filter((_, n) => (bits >> n) % 2 === 1),
);

/** What a copy says of a file that it lacks. */
function lies(copy: ReadonlyMap<string, string>): string[] {
  const missing = [...HOUSE.keys()].filter((file) => !copy.has(file));
  const folders = new Set([...copy.keys()].map((file) => path.dirname(file)));
  const paths = new Set(
    missing.map((file) => (folders.has(path.dirname(file)) ? file : `${path.dirname(file)}/`)),
  );
  const named = RegExp(
    `(?<![\\w./-])(?:${[...paths].map((each) => each.replaceAll('.', '\\.')).join('|')})(?:(?<=/)|(?![\\w-]))`,
  );
  return [...copy].flatMap(([file, text]) =>
    file.endsWith('lock.json')
      ? []
      : text.split('\n').flatMap((line) => {
          const [found] = named.exec(line) ?? [];
          const links = [...line.matchAll(/\]\((?!\w+:)([^)#]+)[^)]*\)/g)]
            .map(([, link = '']) => path.join(path.dirname(file), link))
            .filter((link) => file.endsWith('.md') && missing.includes(link));
          return found || links.length > 0 ? [`${file}: ${found ?? links[0]}`] : [];
        }),
  );
}

test('a copy with any parts and operations can be made, and names no file that it lacks', () => {
  const found = SUBSETS.flatMap((names) =>
    lies(planCopy(HOUSE, names)).map((lie): [string, readonly string[]] => [lie, names]),
  );
  // Each once, with the last of the copies that say so.
  expect([...new Map(found)]).toEqual([]);
});
