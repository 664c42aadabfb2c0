import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { CLIENT_FOLDER } from './client-folder.ts';
import { RUNTIME_CLIENT } from './execution-environment.ts';

/** What {@link installClient} needs. `.ci/run` installs these Debian packages. */
export const CLIENT_NEEDS = 'Linux, with the Debian packages cmake, g++, make, python3 and xz-utils';

/**
 * Builds AWS's runtime client on first use. This folder's package.json is installed elsewhere, because `npm ci` must not need a
 * compiler.
 */
export function installClient(): void {
  if (existsSync(path.join(path.dirname(RUNTIME_CLIENT), 'rapid-client.node'))) return;
  console.info("Building AWS's runtime client, which takes a minute or more …");
  mkdirSync(CLIENT_FOLDER, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(path.join(import.meta.dirname, file), path.join(CLIENT_FOLDER, file));
  // node-gyp would download Node's headers; the package of the Node binary has them.
  const headers = path.join(CLIENT_FOLDER, 'headers');
  cpSync(path.resolve(process.execPath, '../../include'), path.join(headers, 'include'), {
    recursive: true,
  });
  const env = { ...process.env, npm_config_nodedir: headers };
  execFileSync('npm', ['ci', '--prefix', CLIENT_FOLDER], { env, stdio: 'pipe' });
}
