import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { expect, test } from 'vitest';
import { leanSdk } from '../../infra/lean-sdk.ts';
import { bundleFile } from '../support/function-under-test.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

/** Text that identifies the parts of the SDK that are left out. */
const LEFT_OUT = {
  'credentials from single sign-on': 'sso_start_url',
  'credentials from a container': 'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'settings from files': 'AWS_SHARED_CREDENTIALS_FILE',
  'endpoint discovery': 'AWS_ENABLE_ENDPOINT_DISCOVERY',
  'event streams': ':event-type',
};

test.each(Object.entries(LEFT_OUT))('the build leaves out %s', (_, text) => {
  expect(readFileSync(bundleFile(), 'utf8').includes(text)).toBe(false);
});

test('the build fails if the patch of the settings reader no longer matches', async () => {
  const folder = temporaryFolder();
  const reader = path.join(folder, 'config/node-config-provider/configLoader.js');
  mkdirSync(path.dirname(reader), { recursive: true });
  writeFileSync(reader, 'export const loadConfig = () => undefined;');
  const options = {
    bundle: true,
    write: false,
    logLevel: 'silent',
    plugins: [leanSdk()],
  } satisfies BuildOptions;
  await expect(build({ ...options, entryPoints: [reader] })).rejects.toThrow(
    /The SDK has changed: .*matches nothing in .*configLoader/,
  );
});
