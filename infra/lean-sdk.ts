import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/**
 * Packages of the SDK that a Lambda function has no use for. In place of each, the file of the same name in `lean-sdk/`
 * is bundled, which says why and what it is worth. None changes what is sent to DynamoDB.
 */
const REPLACED = [
  '@aws-sdk/credential-provider-node',
  '@smithy/core/event-streams',
  '@aws-sdk/middleware-endpoint-discovery',
  '@smithy/node-http-handler',
];

/**
 * The SDK's reader of settings, and what is cut out of it: the search for `~/.aws`, which Lambda does not have. It loads
 * fs/promises and readline. Cold start: 5 % fewer instructions. (Windows has backslashes between its folders.)
 */
const SETTINGS_READER = /[\\/]config[\\/]node-config-provider[\\/]configLoader\.js$/;
const SETTINGS_FILES = [/^import .*fromSharedConfigFiles";\n/m, /fromSharedConfigFiles\([^)]*\), /];

/**
 * An esbuild plugin that leaves out of the SDK what a Lambda function has no use for. The build fails with one error for
 * each replacement that finds nothing to replace, as it may after an upgrade of the SDK.
 */
export function leanSdk(): Plugin {
  return {
    name: 'lean-sdk',
    setup(build) {
      build.initialOptions.alias = Object.fromEntries(REPLACED.map((name) => [name, replacementOf(name)]));
      build.initialOptions.metafile = true;
      build.onLoad({ filter: SETTINGS_READER }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const missing = SETTINGS_FILES.filter((part) => !part.test(source));
        return {
          contents: SETTINGS_FILES.reduce((text, part) => text.replace(part, ''), source),
          errors: missing.map((part) => ({
            text: `The SDK has changed: ${part} matches nothing in ${path}.`,
          })),
        };
      });
      build.onEnd(({ metafile }) => ({ errors: metafile ? notFound(metafile) : [] }));
    },
  };
}

function replacementOf(name: string): string {
  return join(import.meta.dirname, 'lean-sdk', `${name.slice(name.lastIndexOf('/') + 1)}.ts`);
}

function notFound({ inputs }: Metafile): { text: string }[] {
  const files = Object.keys(inputs);
  const imported = new Set(
    Object.values(inputs).flatMap(({ imports }) => imports.map(({ original }) => original)),
  );
  const missing = REPLACED.filter((name) => !imported.has(name));
  if (!files.some((file) => SETTINGS_READER.test(file))) missing.push(String(SETTINGS_READER));
  return missing.map((name) => ({ text: `The SDK has changed: nothing of it is ${name} any more.` }));
}
