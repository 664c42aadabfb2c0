import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setModes } from '../../infra/asset.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

/** A folder with one file, perhaps in another folder, which a build has written under the umask 077. */
function folderWith(name: string): string {
  const folder = path.join(temporaryFolder(), 'asset');
  mkdirSync(path.join(folder, path.dirname(name)), { mode: 0o700, recursive: true });
  writeFileSync(path.join(folder, name), '', { mode: 0o600 });
  return folder;
}

test.skipIf(process.platform === 'win32').each([
  ['handler.cjs', '644'],
  ['start-script.sh', '755'],
  ['inner/roots.pem', '644'],
])('%s gets the mode %s, and each folder 755', (name, mode) => {
  const folder = folderWith(name);
  setModes(folder);
  const file = path.join(folder, name);
  const modes = [folder, path.dirname(file), file].map((each) => (statSync(each).mode & 0o777).toString(8));
  expect(modes).toEqual(['755', '755', mode]);
});

test.each([
  ['handler.cjs', /handler\.cjs does not keep the mode 644, and the function .* Use another file system\.$/],
  [
    'start-script.sh',
    /start-script\.sh does not keep the mode 755, and the function .* or set startScript to false/,
  ],
])('a file system that does not keep the mode of %s ends the build', (name, message) => {
  const chmod = () => undefined;
  expect(() => setModes(folderWith(name), chmod)).toThrow(message);
});
