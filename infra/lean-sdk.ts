import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';

/** One part of the SDK that a Lambda function has no use for, and what stands in its place. */
interface Replacement {
  /** Which file of the SDK; exactly one must match, so that an upgrade which moves it is noticed. */
  readonly file: RegExp;
  /** Makes the new source from the old one. @throws Error when the old one is not as expected */
  readonly source: (old: string) => string;
}

/**
 * Everything the build changes about the SDK. Each takes away a choice that cannot arise in Lambda; none changes what
 * is sent to DynamoDB, and a choice that was taken away fails loudly instead of being made otherwise.
 */
const REPLACEMENTS: readonly Replacement[] = [
  {
    // Lambda puts the role's credentials into the environment. Without the other sources (single sign-on, INI files,
    // processes, web identity, instance metadata) a third of the bundle is gone, and nothing else can supply credentials.
    file: /@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/,
    source: () => "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
  },
  {
    // Settings come from the environment or are the defaults. There is no ~/.aws in Lambda; looking for it loads
    // fs/promises and readline and reads two files that do not exist.
    file: /@smithy\/core\/dist-es\/submodules\/config\/node-config-provider\/configLoader\.js$/,
    source: (old) =>
      without(without(old, /^import .*fromSharedConfigFiles";\n/m), /fromSharedConfigFiles\([^)]*\), /),
  },
  {
    // No operation of DynamoDB streams events.
    file: /@smithy\/core\/dist-es\/submodules\/protocols\/HttpProtocol\.js$/,
    source: (old) => old.replace(expected(old, 'await import("@smithy/core/event-streams")'), '{}'),
  },
  {
    // The same random identifiers from the same function, without the global `crypto`, which loads Web Crypto.
    file: /@smithy\/core\/dist-es\/submodules\/serde\/uuid\/v4\.js$/,
    source: (old) => {
      expected(old, 'export function bindV4(getRandomValues)');
      return "import { randomUUID } from 'node:crypto';\nexport const bindV4 = () => () => randomUUID();";
    },
  },
  {
    // Endpoint discovery is off unless a variable turns it on, and brings a cache with two libraries.
    file: /@aws-sdk\/middleware-endpoint-discovery\/dist-es\/index\.js$/,
    source: (old) => {
      expected(old, 'export { resolveEndpointDiscoveryConfig }');
      return [
        "export { NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS } from './configurations';",
        'export const resolveEndpointDiscoveryConfig = (config) => config;',
        'export const getEndpointDiscoveryPlugin = () => ({ applyToStack() {} });',
      ].join('\n');
    },
  },
  {
    // The function brings its own handler (lambda/store/buffering-http-handler.ts), whose answers come whole.
    file: /@smithy\/node-http-handler\/dist-es\/index\.js$/,
    source: (old) => {
      expected(old, 'streamCollector');
      return [
        'export const NodeHttpHandler = { create: (handler) => handler };',
        "export const streamCollector = () => Promise.reject(new Error('No answer is streamed.'));",
      ].join('\n');
    },
  },
  {
    // Of its own package file the SDK reads the version, for the user agent.
    file: /@aws-sdk\/client-dynamodb\/package\.json$/,
    source: (old) => JSON.stringify({ version: JSON.parse(old).version }),
  },
  {
    // SHA-256 in JavaScript is for Node builds without cryptography, which could not speak TLS either.
    file: /@smithy\/core\/dist-es\/submodules\/checksum\/sha256\/Sha256Node\.js$/,
    source: (old) =>
      without(
        without(old, /^import \{ Sha256Js \}.*\n/m),
        /hasNativeCrypto \? (?=buildNativeClass\(\))/,
      ).replace(expected(old, ' : Sha256Js;'), ';'),
  },
];

/** An esbuild plugin that leaves out of the SDK what a Lambda function has no use for. */
export function leanSdk(): Plugin {
  return {
    name: 'lean-sdk',
    setup(build) {
      const unused = new Set(REPLACEMENTS);
      for (const replacement of REPLACEMENTS) {
        // Windows has backslashes between its folders.
        const filter = new RegExp(replacement.file.source.replaceAll('\\/', '[\\\\/]'));
        build.onLoad({ filter }, ({ path }) => {
          unused.delete(replacement);
          const contents = replacement.source(readFileSync(path, 'utf8'));
          return { contents, resolveDir: dirname(path), loader: path.endsWith('.json') ? 'json' : 'js' };
        });
      }
      build.onEnd(() => ({
        errors: [...unused].map(({ file }) => ({ text: `No file of the SDK matches ${file} any more.` })),
      }));
    },
  };
}

function expected(source: string, text: string): string {
  if (!source.includes(text)) throw new Error(`The SDK has changed: ${text} is gone.`);
  return text;
}

function without(source: string, part: RegExp): string {
  if (!part.test(source)) throw new Error(`The SDK has changed: ${part} is gone.`);
  return source.replace(part, '');
}
