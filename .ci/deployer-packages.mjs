/**
 * `node .ci/deployer-packages.mjs FOLDER`: writes the package.json and the lock of what deploys, a part of the whole lock, for `.ci/install
 * deployer`. In JavaScript, because it runs before Node is installed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What `npm run deploy`, `guard` and `verify` import where the `cdk.out` is finished, and the CDK itself. */
export const DEPLOYER = [
  '@aws-sdk/client-api-gateway',
  '@aws-sdk/client-cloudformation',
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-lambda',
  '@aws-sdk/client-sts',
  '@aws-sdk/credential-provider-env',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-node',
  '@aws-sdk/lib-dynamodb',
  '@smithy/core',
  'ajv',
  'aws-cdk',
  'yaml',
  'zod',
];

/**
 * A package.json and a lock with some packages and Node, and what they need: each as the whole lock has it.
 * @param {{ name: string, dependencies: object, devDependencies: object, optionalDependencies: object }} project
 * @param {{ packages: Record<string, object> }} lock of npm 7 or later
 * @param {readonly string[]} names
 */
export function partOf(project, lock, names) {
  const ranges = { ...project.dependencies, ...project.devDependencies };
  const dependencies = Object.fromEntries(names.map((name) => [name, ranges[name]]));
  const { name, optionalDependencies } = project;
  const root = { name, dependencies, optionalDependencies };
  const packages = { '': root };
  const add = (/** @type {string} */ from, /** @type {object} */ needed) => {
    for (const each of Object.keys(needed)) {
      const found = locate(lock.packages, from, each);
      // A package for another machine may be missing.
      if (found === undefined || packages[found]) continue;
      packages[found] = { ...lock.packages[found], dev: undefined };
      const { dependencies, optionalDependencies: optional, peerDependencies } = lock.packages[found];
      add(found, { ...dependencies, ...optional, ...peerDependencies });
    }
  };
  add('', { ...dependencies, ...optionalDependencies });
  return { project: { ...root, private: true }, lock: { ...lock, packages } };
}

/** Where Node finds a package: in the nearest `node_modules` upwards. */
function locate(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const found = path.posix.join(folder, 'node_modules', name);
    if (packages[found]) return found;
    if (folder === '') return undefined;
  }
}

const [, program = '', folder] = process.argv;
if (folder !== undefined && path.basename(program) === 'deployer-packages.mjs') {
  const root = path.join(import.meta.dirname, '..');
  const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const { project, lock } = partOf(read('package.json'), read('package-lock.json'), DEPLOYER);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
}
