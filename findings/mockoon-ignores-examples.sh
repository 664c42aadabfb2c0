#!/usr/bin/env bash
# @mockoon/cli 9.9.0 (npm), which makes a mock server of an OpenAPI document.
#
# Guess: a mock answers with the example of a response.
# Seen:  it does not read `example` and `examples` of a response, so that a text is empty, and a number another one in each response. Of
#        OpenAPI 3.0 it reads `example` in the schema of a property. Of 3.1 it does not read `examples` there, which is the form that 3.1 has.
# Needs: Node from 20, curl.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @mockoon/cli@9.9.0 > log 2>&1 || { tail -5 log; exit 1; }

# Starts a mock of a document. $1: port; $2: version of OpenAPI; $3: what the schema of a property has beside its type; $4: what the response has.
start() {
  cat > "$1.yaml" <<YAML
openapi: $2
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    get:
      responses:
        '200':
          description: A thing.
          content:
            application/json:
              schema: { type: object, properties: { name: { type: string$3 } } }
$4
YAML
  node node_modules/@mockoon/cli/bin/run.js start --data "$1.yaml" --port "$1" --disable-log-to-file > "$1.log" 2>&1 &
}
# Prints what a mock answers. $1: port
answer() {
  curl --silent --fail --retry 60 --retry-all-errors --retry-delay 1 "http://127.0.0.1:$1/things" 2> /dev/null | tr -d ' \n'
}
EXAMPLES='              examples: { one: { value: { name: Fern } } }'
start 38601 3.0.3 '' '              example: { name: Fern }'
start 38602 3.0.3 '' "$EXAMPLES"
start 38603 3.0.3 ', example: Fern' ''
start 38604 3.1.0 ', examples: [Fern]' "$EXAMPLES"
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect '{"name":""}' "$(answer 38601)"
expect '{"name":""}' "$(answer 38602)"
expect '{"name":"Fern"}' "$(answer 38603)"
expect '{"name":""}' "$(answer 38604)"
echo 'As found: @mockoon/cli 9.9.0 answers without the examples of a response.'
