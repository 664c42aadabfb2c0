#!/usr/bin/env bash
# Tool: got 16.1.0 (npm), with its default retries
# Behavior: a GET whose response is cut is repeated if the body comes in chunks. If it has a Content-Length, the error is that of got itself, whose
#   code ERR_HTTP_CONTENT_LENGTH_MISMATCH is not among those that are repeated by default.
# Guess: one rule for both, since to the caller both are a body that was cut.
# Output seen: see EXPECTED below.
# Mend: add the code to `retry.errorCodes`.
# Needs: Node from 22, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='in chunks: 2 requests; {}
with a Content-Length: 1 requests; ReadError ERR_HTTP_CONTENT_LENGTH_MISMATCH'

npm install --silent --no-audit --no-fund --ignore-scripts got@16.1.0
cat > try.mjs <<'JS'
import http from 'node:http';
import got from 'got';

/** Asks a server that cuts its first response. */
async function ask(what, headers) {
  let requests = 0;
  const server = http.createServer((_, response) => {
    requests += 1;
    if (requests > 1) return response.end('{}');
    response.writeHead(200, headers);
    response.write('{', () => response.socket.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ended = await got(`http://127.0.0.1:${server.address().port}/`).then(
    ({ body }) => body,
    ({ name, code }) => `${name} ${code}`,
  );
  console.log(`${what}: ${requests} requests; ${ended}`);
  server.close();
}

await ask('in chunks', {});
await ask('with a Content-Length', { 'content-length': '2' });
JS
output=$(node try.mjs)
echo "$output"
[ "$output" = "$EXPECTED" ] || { echo 'CHANGED: the output is not the one above, in EXPECTED.' >&2; exit 1; }
