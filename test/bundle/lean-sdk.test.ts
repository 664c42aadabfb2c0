import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildFailure, build } from 'esbuild';
import { expect, test } from 'vitest';
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

test('the build leaves out the parts of the SDK that the function does not need', async () => {
  const whole = String(await bundled(path.join(ROOT, 'lambda/handler.ts'), []));
  const deployed = readFileSync(bundleFile(), 'utf8');
  const partsOf = (text: string) =>
    Object.keys(LEFT_OUT).filter((part) => text.includes(LEFT_OUT[part] ?? ''));
  expect(partsOf(whole)).toEqual(Object.keys(LEFT_OUT));
  expect(partsOf(deployed)).toEqual([]);
});

test('the build fails if the patch of the settings reader no longer matches', async () => {
  const SETTINGS = 'node_modules/@smithy/core/config/node-config-provider/configLoader.js';
  const entry = path.join(folder, 'entry.js');
  mkdirSync(path.dirname(path.join(folder, SETTINGS)), { recursive: true });
  writeFileSync(path.join(folder, SETTINGS), 'export const loadConfig = () => undefined;');
  writeFileSync(entry, `import './${SETTINGS}';`);
  expect(await bundled(entry)).toContainEqual(
    expect.stringMatching(/The SDK has changed: .*matches nothing in .*configLoader/),
  );
});
