#!/usr/bin/env bash
# dynamoose 4.2.0 (npm), over the AWS SDK for JavaScript. The table is dynalite's (4.0.0).
#
# Guess: Number is the type of the key, so a bigint as a key is refused before anything is sent, as `create` refuses it.
# Seen:  `update` sends it, and DynamoDB changes the item. Then reading the response throws TypeMismatch. To the caller, the
#        update has failed. Of the table, one such item lets every `scan` fail.
# Needs: Node from 20, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='create: TypeMismatch: Expected id to be of type number, instead found type bigint.
update: TypeMismatch: Expected id to be of type number, instead found type bigint.
scan: TypeMismatch: Expected id to be of type number, instead found type bigint.
stored: {"id":{"N":"9007199254740993"},"note":{"S":"new"}}'

npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional dynamoose@4.2.0 dynalite@4.0.0
cat > try.mjs <<'JS'
import dynalite from 'dynalite';
import dynamoose from 'dynamoose';

const server = dynalite({ createTableMs: 0 });
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new dynamoose.aws.ddb.DynamoDB({
  endpoint: `http://127.0.0.1:${server.address().port}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
});
dynamoose.aws.ddb.set(client);
await client.createTable({
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
});
const Key = { id: { N: '9007199254740993' } };
await client.putItem({ TableName: 'things', Item: { ...Key, note: { S: 'old' } } });

const schema = { id: { type: Number, hashKey: true }, note: String };
const things = dynamoose.model('things', schema, { create: false, waitForActive: false });
/** Prints how a call ends. */
const print = async (what, call) =>
  console.log(`${what}: ${await call.then(() => 'no error', ({ name, message }) => `${name}: ${message}`)}`);
await print('create', things.create({ id: 9007199254740995n, note: 'new' }));
await print('update', things.update({ id: 9007199254740993n }, { note: 'new' }));
await print('scan', things.scan().exec());
console.log(`stored: ${JSON.stringify((await client.getItem({ TableName: 'things', Key })).Item)}`);
process.exit();
JS
seen=$(node try.mjs)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: dynamoose 4.2.0 refuses an update by a bigint after DynamoDB has made it.'
