#!/usr/bin/env bash
# dynalite 4.0.0 (npm), an emulator of DynamoDB over LevelDB, with abstract-level 3.1.1.
#
# Guess: what dynalite has read of a table for a page of Scan is freed when the page has its items.
# Seen:  the iterator of each page stays open. dynalite calls `return`, which is the method of JavaScript's
#        iterators; those of abstract-level have `close`. LevelDB keeps for each what it has read, outside of JavaScript's heap: while all
#        pages of a table are scanned, the memory of the process grows until the store is closed.
# Also:  it tests whether there is a `return`, so nothing fails.
# Needs: Node from 20, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='page 1: 2 items, its iterator is open
page 2: 1 items, its iterator is open
after close(): closed'

npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional \
  dynalite@4.0.0 abstract-level@3.1.1 @aws-sdk/client-dynamodb@3.1169.0
cat > try.mjs <<'JS'
import { AbstractLevel } from 'abstract-level';
import { CreateTableCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

/** The iterators over values, in the order in which they are made. */
const iterators = [];
const { values } = AbstractLevel.prototype;
AbstractLevel.prototype.values = function (...range) {
  const iterator = values.apply(this, range);
  iterators.push(iterator);
  return iterator;
};

/** A closed iterator rejects. */
const stateOf = (iterator) =>
  iterator.next().then(
    () => 'open',
    ({ code }) => (code === 'LEVEL_ITERATOR_NOT_OPEN' ? 'closed' : code),
  );

const server = dynalite({ createTableMs: 0 });
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new DynamoDBClient({
  endpoint: `http://127.0.0.1:${server.address().port}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
});
const TableName = 'things';
await client.send(
  new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }),
);
for (const N of ['1', '2', '3']) await client.send(new PutItemCommand({ TableName, Item: { id: { N } } }));

let ExclusiveStartKey;
for (let page = 1; page === 1 || ExclusiveStartKey; page += 1) {
  iterators.length = 0;
  const { Count, LastEvaluatedKey } = await client.send(new ScanCommand({ TableName, Limit: 2, ExclusiveStartKey }));
  console.log(`page ${page}: ${Count} items, its iterator is ${await stateOf(iterators[0])}`);
  ExclusiveStartKey = LastEvaluatedKey;
}
await iterators[0].close();
console.log(`after close(): ${await stateOf(iterators[0])}`);
process.exit();
JS
seen=$(node try.mjs)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: dynalite 4.0.0 leaves the iterator of a page of Scan open.'
