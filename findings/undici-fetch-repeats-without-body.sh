#!/usr/bin/env bash
# Tool: undici 8.12.4 (npm), RetryAgent with its default options
# Behavior: its `fetch` rejects with a RequestContentLengthMismatchError where it should repeat a request that has a body, even a text. The
#   second request is sent all the same, with an empty body: a PUT may empty what it should store. `request` repeats the same body.
#   https://github.com/nodejs/undici/issues/3288 reports the error of a version of 2024, and is closed.
# Guess: as the documentation of RetryHandler says, only bodies that cannot be read twice, such as streams, are not repeated.
# Output seen: see EXPECTED below.
# Mend: use `request`.
# Needs: Node from 22.19, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='request, a text: 200; the bodies received have 4, 4 bytes
fetch, a text: RequestContentLengthMismatchError; the bodies received have 4, 0 bytes
fetch, bytes: RequestContentLengthMismatchError; the bodies received have 4, 0 bytes'

npm install --silent --no-audit --no-fund --ignore-scripts undici@8.12.4
cat > try.mjs <<'JS'
import { once } from 'node:events';
import http from 'node:http';
import { Agent, fetch, RetryAgent, request } from 'undici';

/** Sends a request that is refused once. PUT is one of the methods that RetryAgent repeats by default. */
async function send(what, how, body) {
  const lengths = [];
  const server = http.createServer(async (incoming, response) => {
    lengths.push(Buffer.concat(await incoming.toArray()).length);
    response.writeHead(lengths.length === 1 ? 503 : 200, { 'retry-after': '1' });
    response.end();
    if (lengths.length === 2) server.emit('second');
  });
  const second = once(server, 'second');
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dispatcher = new RetryAgent(new Agent());
  const ended = await how(`http://127.0.0.1:${server.address().port}/`, { method: 'PUT', body, dispatcher }).then(
    ({ status, statusCode }) => status ?? statusCode,
    ({ cause }) => cause.name,
  );
  // It may arrive after the caller has its error.
  await second;
  console.log(`${what}: ${ended}; the bodies received have ${lengths.join(', ')} bytes`);
  server.close();
  server.closeAllConnections();
}

await send('request, a text', request, 'text');
await send('fetch, a text', fetch, 'text');
await send('fetch, bytes', fetch, new Uint8Array(4));
process.exit();
JS
output=$(node try.mjs)
echo "$output"
[ "$output" = "$EXPECTED" ] || { echo 'CHANGED: the output is not the one above, in EXPECTED.' >&2; exit 1; }
