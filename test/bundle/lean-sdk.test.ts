import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildFailure, build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { leanSdk } from '../../infra/lean-sdk.ts';
import { bundleFile } from '../support/function-under-test.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

/** Text that identifies the parts of the SDK that are left out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'credentials from single sign-on': 'sso_start_url',
  'credentials from a container': 'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'settings from files': 'AWS_SHARED_CREDENTIALS_FILE',
  'event streams': ':event-type',
};

const ROOT = path.join(import.meta.dirname, '../..');
const folder = temporaryFolder();

/** Builds an entry as infra/bundle.ts does. @returns the bundle's text, or one line for each error */
async function bundled(entry: string, plugins = [leanSdk()]): Promise<string | string[]> {
  try {
    const { outputFiles } = await build({
      bundle: true,
      write: false,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      logLevel: 'silent',
      absWorkingDir: ROOT,
      entryPoints: [entry],
      plugins,
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    return (error as BuildFailure).errors.map(({ text }) => text);
  }
}

/** Writes files into a separate folder. @returns the path of its entry.js */
function project(name: string, files: Record<string, string>): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name, file)), { recursive: true });
    writeFileSync(path.join(folder, name, file), content);
  }
  return path.join(folder, name, 'entry.js');
}

test('the build leaves out the parts of the SDK that the function does not need', async () => {
  const whole = String(await bundled(path.join(ROOT, 'lambda/handler.ts'), []));
  const deployed = readFileSync(bundleFile(), 'utf8');
  const partsOf = (text: string) =>
    Object.keys(LEFT_OUT).filter((part) => text.includes(LEFT_OUT[part] ?? ''));
  expect(partsOf(whole)).toEqual(Object.keys(LEFT_OUT));
  expect(partsOf(deployed)).toEqual([]);
});

describe('the build fails if a replacement no longer matches', () => {
  const SETTINGS = 'node_modules/@smithy/core/config/node-config-provider/configLoader.js';

  test('without the SDK, the errors name all three replaced parts', async () => {
    const errors = await bundled(project('empty', { 'entry.js': 'console.info(1);' }));
    expect(errors).toHaveLength(3);
    for (const part of ['@aws-sdk/credential-provider-node', '@smithy/core/event-streams', 'configLoader'])
      expect(errors).toContainEqual(expect.stringContaining(part));
  });

  test('a rewritten settings reader is an error', async () => {
    const errors = await bundled(
      project('rewritten', {
        'entry.js': `import './${SETTINGS}';`,
        [SETTINGS]: 'export const loadConfig = () => undefined;',
      }),
    );
    expect(errors).toContainEqual(
      expect.stringMatching(/The SDK has changed: .*matches nothing in .*configLoader/),
    );
  });
});
