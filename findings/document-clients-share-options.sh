#!/usr/bin/env bash
# AWS SDK for JavaScript, @aws-sdk/lib-dynamodb 3.1169.0 (npm).
#
# Guess: `DynamoDBDocumentClient.from(client, options)` makes a document client with these options. One that was made before of the
#        same client keeps its own.
# Seen:  the options of the last call are those of all: they are kept in the configuration of the client. The first document client
#        returned the number 7, and returns a NumberValue as soon as another part of the program makes one with `wrapNumbers`. A call
#        without options also removes them from the others.
# Mend:  a DynamoDBClient for each set of options.
# Needs: Node from 20, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='the first alone: 7
the first, after the second: {"value":"7"}
the second, after a third without options: 7'

npm install --silent --no-audit --no-fund --ignore-scripts @aws-sdk/client-dynamodb@3.1169.0 @aws-sdk/lib-dynamodb@3.1169.0
cat > try.mjs <<'JS'
import http from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const server = http.createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.end('{"Item":{"id":{"N":"7"}}}');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new DynamoDBClient({
  endpoint: `http://127.0.0.1:${server.address().port}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
});
/** Prints an id as a document client reads it. */
async function print(what, documents) {
  const { Item } = await documents.send(new GetCommand({ TableName: 'things', Key: { id: 7 } }));
  console.log(`${what}: ${JSON.stringify(typeof Item.id === 'object' ? { ...Item.id } : Item.id)}`);
}
const first = DynamoDBDocumentClient.from(client);
await print('the first alone', first);
const second = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: true } });
await print('the first, after the second', first);
DynamoDBDocumentClient.from(client);
await print('the second, after a third without options', second);
process.exit();
JS
seen=$(node try.mjs)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: document clients of one client share the options of the last one.'
