#!/usr/bin/env bash
# Tool: jose 6.2.18 (npm), createRemoteJWKSet and jwtVerify, with their default options
# Behavior: a provider that replaces its key under the same kid is refused until the cached key set is ten minutes old. An unknown
#   kid makes jose load the key set again; a signature that does not fit the key of a known kid does not.
# Guess, written down before: the key set is loaded again in both cases, at most once in 30 seconds.
# Output seen: see EXPECTED below.
# Mend: give each key a kid of its own. A verifier that must bear such a change calls the key set's reload() after a wrong signature.
# Needs: Node from 20, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='first key: accepted; loads: 1
35 s later, same kid, other key: ERR_JWS_SIGNATURE_VERIFICATION_FAILED; loads: 1
35 s later, other kid: accepted; loads: 2'

npm install --silent --no-audit --no-fund --ignore-scripts jose@6.2.18
cat > try.mjs <<'JS'
import http from 'node:http';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';

let keys = [];
let loads = 0;
const server = http.createServer((_, response) => {
  loads += 1;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ keys }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const find = createRemoteJWKSet(new URL(`http://127.0.0.1:${server.address().port}/jwks`));

/** Publishes a new key, and verifies a token that it has signed. */
async function tryKey(what, kid) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  keys = [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }];
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
  const result = await jwtVerify(token, find).then(() => 'accepted', ({ code }) => code);
  console.log(`${what}: ${result}; loads: ${loads}`);
}

const now = Date.now;
await tryKey('first key', 'a');
// More than the 30 seconds that jose leaves between two loads.
Date.now = () => now() + 35_000;
await tryKey('35 s later, same kid, other key', 'a');
await tryKey('35 s later, other kid', 'b');
server.close();
server.closeAllConnections();
JS
output=$(node try.mjs)
echo "$output"
[ "$output" = "$EXPECTED" ] || { echo 'CHANGED: the output is not the one above, in EXPECTED.' >&2; exit 1; }
