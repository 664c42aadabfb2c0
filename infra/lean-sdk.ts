/** Measure before you copy this: it is worth its upkeep only if cold starts matter to you, and the SDK changes. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Packages of the SDK that a Lambda function does not need. A file of the same name in `lean-sdk/` replaces each one,
 * and says why and what it saves. None changes the requests to DynamoDB.
 */
const REPLACED = [
  '@aws-sdk/credential-provider-node',
  '@aws-sdk/middleware-endpoint-discovery',
  '@smithy/core/event-streams',
];
const FOLDER = join(import.meta.dirname, 'lean-sdk');

/**
 * The SDK's reader of settings, from which the search for `~/.aws` is removed: Lambda has no such folder, and the
 * search loads fs/promises and readline. Cold start: 5 % fewer instructions. (Paths on Windows have backslashes.)
 */
const SETTINGS_READER = /[\\/]config[\\/]node-config-provider[\\/]configLoader\.js$/;
const SETTINGS_FILES = [/^import .*fromSharedConfigFiles";\n/m, /fromSharedConfigFiles\([^)]*\), /];

/**
 * An esbuild plugin that removes the parts of the SDK that a Lambda function does not need. If a replacement or a patch matches
 * nothing after an upgrade of the SDK, a test fails (test/bundle/budgets.test.ts).
 */
export function leanSdk(): Plugin {
  return {
    name: 'lean-sdk',
    setup(build) {
      build.initialOptions.alias = Object.fromEntries(
        REPLACED.map((name) => [name, join(FOLDER, `${basename(name)}.ts`)]),
      );
      build.onLoad({ filter: SETTINGS_READER }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        return { contents: SETTINGS_FILES.reduce((text, part) => text.replace(part, ''), source) };
      });
    },
  };
}
