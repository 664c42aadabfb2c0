#!/usr/bin/env bash
# dynamodb-admin 5.3.3 (npm). The table is dynalite's (4.0.0).
#
# Guess: the page of a table shows a number beyond 2^53 exactly, or rounded.
# Seen:  if an item of a page has such a number, the page loads none of its items: "Do not know how to serialize a BigInt". Neither the item
#        nor the attribute is named. The page of the item itself is not shown either, if the number is its key.
# Needs: Node from 20, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='items of small: 7 9007199254740991
items of large: Do not know how to serialize a BigInt
page of 7: shown
page of 9007199254740993: Number 9007199254740992 is greater than Number.MAX_SAFE_INTEGER. Use NumberValue from @aws-sdk/lib-dynamodb.'

npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional \
  dynamodb-admin@5.3.3 @aws-sdk/client-dynamodb@3.1169.0 dynalite@4.0.0
cat > try.mjs <<'JS'
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { createServer } from 'dynamodb-admin';

/** Starts a server. @returns its address */
async function listen(server) {
  const started = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => started.on('listening', resolve));
  return `http://127.0.0.1:${started.address().port}`;
}
const client = new DynamoDBClient({
  endpoint: await listen(dynalite({ createTableMs: 0 })),
  region: 'us-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
});
/** Makes a table with these ids. */
async function fill(TableName, ids) {
  const AttributeDefinitions = [{ AttributeName: 'id', AttributeType: 'N' }];
  const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
  await client.send(new CreateTableCommand({ TableName, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions, KeySchema }));
  for (const N of ids) await client.send(new PutItemCommand({ TableName, Item: { id: { N } } }));
}
await fill('small', ['7', '9007199254740991']);
await fill('large', ['7', '9007199254740993']);

const admin = await listen(createServer({ dynamoDbClient: client }));
for (const table of ['small', 'large']) {
  // The page of a table loads its items from here.
  const { Items, message } = await (await fetch(`${admin}/tables/${table}/items`)).json();
  console.log(`items of ${table}: ${message ?? Items.map(({ id }) => id).sort().join(' ')}`);
}
for (const id of ['7', '9007199254740993']) {
  const response = await fetch(`${admin}/tables/large/items/${id}`);
  console.log(`page of ${id}: ${response.ok ? 'shown' : (await response.json()).message}`);
}
process.exit();
JS
# The server also prints its errors.
seen=$(node try.mjs | grep -E "^(items|page) of ")
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: dynamodb-admin 5.3.3 shows no item of a page that has a number beyond 2^53.'
