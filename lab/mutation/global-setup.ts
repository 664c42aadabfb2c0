import { pathToFileURL } from 'node:url';
import { makeTemporaryRoot } from '../../test/support/temporary-root.ts';
import { here } from './places.ts';

/** With the usual factor of 20, each mutant that makes a request hang would take a minute. */
const SLOWNESS = 3;

/** Runs before Vitest's worker starts. @returns the teardown */
export default () => {
  const tearDown = makeTemporaryRoot(SLOWNESS);
  process.env.NODE_OPTIONS += ` --import=${pathToFileURL(here('started-process.ts'))}`;
  return tearDown;
};
