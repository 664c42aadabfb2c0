import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/**
 * Packages of the SDK that a Lambda function does not need. A file of the same name in `lean-sdk/` replaces each one,
 * and says why and what it saves. None changes the requests to DynamoDB.
 */
const REPLACED = ['@aws-sdk/credential-provider-node', '@smithy/core/event-streams'];

/**
 * The SDK's reader of settings, from which the search for `~/.aws` is removed: Lambda has no such folder, and the
 * search loads fs/promises and readline. Cold start: 5 % fewer instructions. (Paths on Windows have backslashes.)
 */
const SETTINGS_READER = /[\\/]config[\\/]node-config-provider[\\/]configLoader\.js$/;
const SETTINGS_FILES = [/^import .*fromSharedConfigFiles";\n/m, /fromSharedConfigFiles\([^)]*\), /];

/**
 * An esbuild plugin that removes the parts of the SDK that a Lambda function does not need. The build fails with one
 * error for each replacement that no longer matches, as can happen after an upgrade of the SDK.
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
  return missing.map((name) => ({ text: `The SDK has changed: it does not import ${name} any more.` }));
}
