#!/usr/bin/env bash
# electrodb 3.9.3 (npm), over the AWS SDK for JavaScript, lib-dynamodb 3.1169.0. The table is dynalite's (4.0.0).
#
# Guess: `ignoreOwnership` is for items that other programs have written. So a scan with it returns all items of the table. A key beyond
#        2^53 is a bigint, as the SDK reads it, or there is an error.
# Seen:  the scan leaves out each item whose numeric key is beyond 2^53, without an error. With `data: 'raw'`, all are there, and their
#        keys are bigints: electrodb takes a key that is no number of JavaScript for that of a stranger.
# Needs: Node from 20, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='stored: 7 9007199254740991 9007199254740993 9223372036854775807
scan: 7 9007199254740991
scan, raw: 7 9007199254740991 9007199254740993 9223372036854775807'

npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional \
  electrodb@3.9.3 @aws-sdk/client-dynamodb@3.1169.0 @aws-sdk/lib-dynamodb@3.1169.0 dynalite@4.0.0
cat > try.mjs <<'JS'
import { CreateTableCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { Entity } from 'electrodb';

const server = dynalite({ createTableMs: 0 });
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new DynamoDBClient({
  endpoint: `http://127.0.0.1:${server.address().port}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
});
await client.send(
  new CreateTableCommand({
    TableName: 'things',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }),
);
for (const N of ['7', '9007199254740991', '9007199254740993', '9223372036854775807'])
  await client.send(new PutItemCommand({ TableName: 'things', Item: { id: { N } } }));

/** Prints ids in their order. */
const print = (what, ids) => console.log(`${what}: ${ids.map(BigInt).sort((a, b) => (a < b ? -1 : 1)).join(' ')}`);
print('stored', (await client.send(new ScanCommand({ TableName: 'things' }))).Items.map(({ id }) => id.N));

const things = new Entity(
  {
    model: { entity: 'thing', version: '1', service: 'store' },
    attributes: { id: { type: 'number', required: true } },
    indexes: { byId: { pk: { field: 'id', composite: ['id'], template: '${id}' } } },
  },
  { table: 'things', client },
);
const read = await things.scan.go({ ignoreOwnership: true });
print('scan', read.data.map(({ id }) => id));
const raw = await things.scan.go({ ignoreOwnership: true, data: 'raw' });
print('scan, raw', raw.data.Items.map(({ id }) => id));
process.exit();
JS
seen=$(node try.mjs)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: a scan of electrodb 3.9.3 leaves out the items whose numeric key is beyond 2^53.'
