#!/usr/bin/env bash
# dynamodb-json 1.4.2 (PyPI), which reads DynamoDB's JSON.
#
# Guess: an item with an attribute named S is an object like others: {"id":7,"S":3,"M":5}.
# Seen:  the whole item becomes the text '3', without an error: an object that has a property S is taken for {"S":…}. So is a map of
#        sizes in an item, and so it is with M, L and B. boto3's own TypeDeserializer keeps all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check dynamodb-json==1.4.2 boto3==1.44.8
cat > read.py <<'PYTHON'
import json, sys
from boto3.dynamodb.types import TypeDeserializer
from dynamodb_json import json_util
item = json.loads(sys.argv[1])
read = TypeDeserializer()
whole = {name: read.deserialize(value) for name, value in item.items()}
print(json_util.loads(sys.argv[1]), sorted(whole))
PYTHON

run() { venv/bin/python -W ignore read.py "$1"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect "{'id': 7, 'XS': 3, 'XL': 5} ['XL', 'XS', 'id']" "$(run '{"id":{"N":"7"},"XS":{"N":"3"},"XL":{"N":"5"}}')"
expect "3 ['M', 'S', 'id']" "$(run '{"id":{"N":"7"},"S":{"N":"3"},"M":{"N":"5"}}')"
expect "{'id': 7, 'sizes': '3'} ['id', 'sizes']" "$(run '{"id":{"N":"7"},"sizes":{"M":{"S":{"N":"3"},"M":{"N":"5"}}}}')"
expect "5 ['M', 'id']" "$(run '{"id":{"N":"7"},"M":{"N":"5"}}')"
echo 'As found: dynamodb-json 1.4.2 reads an item that has an attribute S as the value of S.'
