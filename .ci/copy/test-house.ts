/** For tests: what copies are made from. Without git, it cannot be listed, and a test of it is skipped. */
import { test } from 'vitest';
import { ROOT } from '../../test/support/project.ts';
import { hasGit } from '../../test/support/repository.ts';
import type { Tree } from './manifest.ts';
import { renamed } from './record.ts';
import { readTree } from './tree.ts';

/** The files of this house by their paths. */
export const HOUSE: Tree = hasGit ? readTree(ROOT) : new Map();

/** The same under the names that a copy has. */
export const RENAMED_HOUSE: Tree = renamed(HOUSE, {
  name: 'shipment',
  plural: 'shipments',
  examples: ['Crate 7', 'Crate 8', 'Crate'],
  parts: [],
});

/** A test that reads one of them. */
export const testOfHouse = test.runIf(hasGit);
