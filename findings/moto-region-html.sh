#!/usr/bin/env bash
# moto 5.2.5 (PyPI), an emulator of AWS, as a server.
#
# Guess: as an emulator on this machine, it takes any name for the Region, like DynamoDB Local and dynalite; or it refuses one that it does
#        not know with an error in the protocol of the service, which an SDK can show.
# Seen:  DynamoDB and SQS answer a Region that AWS does not have with status 500 and a page in HTML; an SDK that expects JSON
#        can only say that this is none. The cause, KeyError: 'local', is in the server's own output.
# Mend:  the Region us-east-1, or MOTO_ALLOW_NONEXISTENT_REGION=true for the server.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check 'moto[server]==5.2.5'

# Starts the server on a free port of this machine, with the variables that are given.
start() {
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  env "$@" python/bin/moto_server -H 127.0.0.1 -p "$port" > log 2>&1 &
  server=$!
  for _ in $(seq 120); do
    curl -s -o /dev/null "http://127.0.0.1:$port/" && return
    sleep 0.5
  done
  exit 1
}
# Lists something in a Region. It prints the status and the type of the response.
list() {
  curl -s -o /dev/null -w '%{http_code} %{content_type}' "http://127.0.0.1:$port/" -H "x-amz-target: $2" -d '{}' \
    -H 'content-type: application/x-amz-json-1.0' \
    -H "authorization: AWS4-HMAC-SHA256 Credential=any/20260101/$3/$1/aws4_request, SignedHeaders=host, Signature=any"
}
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
start MOTO_ALLOW_NONEXISTENT_REGION=
for target in 'dynamodb DynamoDB_20120810.ListTables' 'sqs AmazonSQS.ListQueues'; do
  # shellcheck disable=SC2086 # The service and its target are two words.
  expect '500 text/html; charset=utf-8' "$(list $target local)"
  # shellcheck disable=SC2086
  expect '200 application/x-amz-json-1.0' "$(list $target us-east-1)"
done
grep -q "KeyError: 'local'" log || { echo 'Changed: the server names another cause'; exit 1; }
kill "$server"
start MOTO_ALLOW_NONEXISTENT_REGION=true
expect '200 application/x-amz-json-1.0' "$(list dynamodb DynamoDB_20120810.ListTables local)"
echo 'As found: moto 5.2.5 answers an unknown Region with a page in HTML.'
