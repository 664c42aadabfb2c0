import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';
import { someOf } from '../../test/support/exhaustive.ts';
import { ROOT } from '../../test/support/project.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import type { Tree } from './manifest.ts';
import { choose, manifestsOf, planCopy, planLater } from './plan.ts';
import { RENAMED_HOUSE, testOfHouse } from './test-house.ts';
import { readTree, writeTree } from './tree.ts';

const ALL = manifestsOf(RENAMED_HOUSE);
const NAMES = ALL.map(({ name }) => name);

const needed = (name: string) => choose(ALL, [name]).map((each) => each.name);
/** What a copy has that lacks only a part or an operation, and what needs it. */
const allBut = (name: string) => NAMES.filter((other) => !needed(other).includes(name));

/** What `npm run format` makes of files, by a run for all. */
function formatted(tree: Tree): Tree {
  const folder = temporaryFolder();
  writeTree(folder, tree);
  const biome = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const options = [`--config-path=${ROOT}`, '--vcs-enabled=false', '--linter-enabled=false'];
  const { status, stderr } = spawnSync(process.execPath, [biome, 'check', '--write', ...options, folder], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return readTree(folder);
}

testOfHouse(
  'each is the same, whether added later or at once, to the default copy and to one that has the others',
  () => {
    const cases = someOf(NAMES, 'parts and operations added later').flatMap((name) =>
      [[], allBut(name)].map((parts) => {
        const before = planCopy(RENAMED_HOUSE, parts);
        return {
          of: `${name} beside ${parts.length}`,
          later: planLater(before, RENAMED_HOUSE, parts, [...parts, ...needed(name)]),
          atOnce: planCopy(RENAMED_HOUSE, [...parts, name]),
        };
      }),
    );
    let copy = planCopy(RENAMED_HOUSE, []);
    const parts: string[] = [];
    for (const name of NAMES.toReversed()) {
      copy = planLater(copy, RENAMED_HOUSE, parts, [...parts, ...needed(name)]);
      parts.push(...needed(name));
    }
    cases.push({ of: 'one after the other', later: copy, atOnce: planCopy(RENAMED_HOUSE, NAMES) });

    for (const { of, later, atOnce } of cases)
      expect([of, ...later.keys()].sort()).toEqual([of, ...atOnce.keys()].sort());
    // Only the layout may differ, and the place of an import.
    const written = new Map(
      cases.flatMap(({ later, atOnce }, n) =>
        [...atOnce].flatMap(([file, text]): [string, string][] =>
          later.get(file) === text
            ? []
            : [
                [`${n}/later/${file}`, later.get(file) ?? ''],
                [`${n}/at-once/${file}`, text],
              ],
        ),
      ),
    );
    const result = formatted(written);
    const different = [...result].filter(
      ([file, text]) => text !== result.get(file.replace('/later/', '/at-once/')),
    );
    expect(different.map(([file]) => file.replace(/^\d+/, (n) => cases[Number(n)]?.of ?? n))).toEqual([]);
  },
);
