#!/usr/bin/env bash
# dynamo-pandas 1.4.1 (PyPI). The table is moto's (5.2.5).
#
# Guess: `get_df` makes an int of a whole number of DynamoDB, which Python can do exactly.
# Seen:  the ints are those of floating-point numbers: the item with the id 9007199254740993, asked for by this id, has …992 in the data frame,
#        and the largest int64 is one too large for int64. `put_df` writes ids exactly. So what was read and is put back is another item.
# Also:  `put_df` writes an absent text as NULL.
# Needs: Python from 3.10.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED="read: [9007199254740992] [9223372036854775808]
put back: [{'id': {'N': '9007199254740992'}, 'name': {'NULL': True}}, {'id': {'N': '9007199254740993'}}]"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check dynamo-pandas==1.4.1 'moto[dynamodb]==5.2.5'
cat > try.py <<'PY'
import boto3
import dynamo_pandas
import moto

with moto.mock_aws():
    client = boto3.client('dynamodb')
    client.create_table(
        TableName='things',
        BillingMode='PAY_PER_REQUEST',
        AttributeDefinitions=[{'AttributeName': 'id', 'AttributeType': 'N'}],
        KeySchema=[{'AttributeName': 'id', 'KeyType': 'HASH'}],
    )
    for each in ['9007199254740993', '9223372036854775807']:
        client.put_item(TableName='things', Item={'id': {'N': each}})
    large = dynamo_pandas.get_df(table='things', keys=dynamo_pandas.keys(id=[9007199254740993]))
    largest = dynamo_pandas.get_df(table='things', keys=dynamo_pandas.keys(id=[9223372036854775807]))
    print('read:', large['id'].tolist(), largest['id'].tolist())
    client.delete_item(TableName='things', Key={'id': {'N': '9223372036854775807'}})
    dynamo_pandas.put_df(large.assign(name=None), table='things')
    print('put back:', sorted(client.scan(TableName='things')['Items'], key=lambda item: item['id']['N']))
PY
export AWS_DEFAULT_REGION=us-east-1 AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
seen=$(python/bin/python -W ignore try.py)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: dynamo-pandas 1.4.1 rounds the integers of DynamoDB.'
