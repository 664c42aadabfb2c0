// Loaded before each command, the tests and the CDK app. In JavaScript, because an old Node may run it, where it must print what is
// missing.
import { readFileSync } from 'node:fs';
import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const wanted = Math.min(
  ...Object.values(optionalDependencies).map((version) => Number.parseInt(version, 10)),
);

// With what the user's own settings of npm leave out (omit, ignore-scripts, bin-links, NODE_ENV).
const install = 'npm ci --include=dev --include=optional && npm rebuild --ignore-scripts --bin-links';

if (Number.parseInt(process.versions.node, 10) < wanted) {
  console.error(
    `Node ${process.version} cannot run this. Run "${install}", which installs another, or install Node ${wanted} or later.`,
  );
  process.exit(1);
}

try {
  // One of the devDependencies, which are installed together. It is also among those that deploy (`.ci/install deployer`).
  import.meta.resolve('aws-cdk/bin/cdk');
} catch {
  console.error(
    `This is not installed, or installed without devDependencies (NODE_ENV=production, --omit=dev). Run "${install}".`,
  );
  process.exit(1);
}

// Erasing types and compiling take 35 MB and half of the time in which a command starts. A folder that cannot be written to is no error.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
