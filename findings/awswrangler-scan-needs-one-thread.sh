#!/usr/bin/env bash
# awswrangler 3.17.1 (PyPI), AWS SDK for pandas. The table is moto's (5.2.5).
#
# Guess: `read_items` with `allow_full_scan=True` makes a column of Decimal from a column of numbers, whatever is in the table.
# Seen:  with the default `use_threads=True` on a machine with two cores, it scans the table in two parts, and gives each part's column a type
#        as wide as its longest number. If they differ, as 1 and 19 digits do, it cannot merge the parts, and throws ArrowTypeError. So a
#        table is read or not by which items are in which part, and by the number of cores.
# Mend:  use_threads=False.
# Needs: Python from 3.10.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED="use_threads=2: ArrowTypeError
use_threads=False: 11 ids, the largest is Decimal('9223372036854775807')
use_threads=2, ids of one length: 10 ids, the largest is Decimal('9')"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check awswrangler==3.17.1 'moto[dynamodb]==5.2.5'
cat > try.py <<'PY'
import awswrangler
import boto3
import moto

TABLE = {
    'BillingMode': 'PAY_PER_REQUEST',
    'AttributeDefinitions': [{'AttributeName': 'id', 'AttributeType': 'N'}],
    'KeySchema': [{'AttributeName': 'id', 'KeyType': 'HASH'}],
}
SHORT = [str(number) for number in range(10)]


def read(table, threads):
    try:
        ids = awswrangler.dynamodb.read_items(table, allow_full_scan=True, use_threads=threads)['id']
        return f'{len(ids)} ids, the largest is {max(ids)!r}'
    except Exception as error:
        return type(error).__name__


with moto.mock_aws():
    client = boto3.client('dynamodb')
    for name, ids in [('different', [*SHORT, '9223372036854775807']), ('same', SHORT)]:
        client.create_table(TableName=name, **TABLE)
        for each in ids:
            client.put_item(TableName=name, Item={'id': {'N': each}})
    print('use_threads=2:', read('different', 2))
    print('use_threads=False:', read('different', False))
    print('use_threads=2, ids of one length:', read('same', 2))
PY
export AWS_DEFAULT_REGION=us-east-1 AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
seen=$(python/bin/python -W ignore try.py)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: awswrangler 3.17.1 cannot merge parts of a table whose numbers have different lengths.'
