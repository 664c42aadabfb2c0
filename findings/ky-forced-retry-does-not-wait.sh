#!/usr/bin/env bash
# Tool: ky 2.1.0 (npm)
# Behavior: a retry that `shouldRetry` forces with `true` does not wait for Retry-After, although the status is in `afterStatusCodes`.
#   Without `shouldRetry`, or if it returns undefined, the same retry waits. The example of its README forces the retries of a 429.
# Guess, from that example: `shouldRetry` decides whether, and Retry-After when.
# Output seen: see EXPECTED below.
# Mend: have the status in `statusCodes`, too, and let `shouldRetry` return undefined instead of true.
# Needs: Node from 22, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='no shouldRetry: 200, after Retry-After
undefined: 200, after Retry-After
true: 200, before Retry-After'

npm install --silent --no-audit --no-fund --ignore-scripts ky@2.1.0
cat > try.mjs <<'JS'
import http from 'node:http';
import ky from 'ky';

const RETRY_AFTER = 2;
const times = [];
const server = http.createServer((_, response) => {
  times.push(performance.now());
  // Of two requests, the first is refused.
  response.writeHead(times.length % 2 === 1 ? 429 : 200, { 'retry-after': RETRY_AFTER });
  response.end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/`;

for (const [what, options] of Object.entries({
  'no shouldRetry': {},
  undefined: { shouldRetry: () => undefined },
  true: { shouldRetry: () => true },
})) {
  const { status } = await ky(url, { retry: { statusCodes: [429], afterStatusCodes: [429], ...options } });
  const [refused, repeated] = times.slice(-2);
  // Timers may fire a little early.
  console.log(`${what}: ${status}, ${repeated - refused > RETRY_AFTER * 1000 - 50 ? 'after' : 'before'} Retry-After`);
}
server.close();
server.closeAllConnections();
JS
output=$(node try.mjs)
echo "$output"
[ "$output" = "$EXPECTED" ] || { echo 'CHANGED: the output is not the one above, in EXPECTED.' >&2; exit 1; }
