#!/usr/bin/env bash
# oasdiff 1.37.0 (Go), which compares two versions of an OpenAPI document.
#
# Guess: a response that may have a new value breaks clients alike, whether the value is in the body or in a header. So both are errors.
# Seen:  in a property of the body, it is an error. In a header, it is not even in the changelog, whether the header has an enum that gains a value
#        or one that loses its enum. `oasdiff diff` shows it. That the type of the header changes from integer to string is an error.
# Needs: Go from 1.26.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
GOBIN=$folder go install github.com/oasdiff/oasdiff@v1.37.0 2> log

# Writes a document. $1: schema of a property; $2, $3: schemas of headers.
document() {
  cat <<YAML
openapi: 3.0.3
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    get:
      responses:
        '200':
          description: A thing.
          headers:
            x-kind: { required: true, schema: $2 }
            x-page: { required: true, schema: $3 }
          content: { application/json: { schema: { type: object, required: [kind], properties: { kind: $1 } } } }
YAML
}
OLD='{ type: string, enum: [a, b] }'
NEW='{ type: string, enum: [a, b, c] }'
ANY='{ type: string }'
NUMBER='{ type: integer }'
document "$OLD" "$OLD" "$NUMBER" > old.yaml
document "$NEW" "$OLD" "$NUMBER" > body.yaml
document "$OLD" "$NEW" "$NUMBER" > header.yaml
document "$OLD" "$ANY" "$NUMBER" > any.yaml
document "$OLD" "$OLD" "$ANY" > type.yaml

# Prints the ids of the changes that count, as one line.
changes() { ./oasdiff "$1" old.yaml "$2" --format singleline --color never 2>&1 | grep -oE '\[response-[a-z-]+\]' | tr '\n' ' ' || true; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect '[response-property-enum-value-added] ' "$(changes breaking body.yaml)"
expect '[response-header-type-changed] ' "$(changes breaking type.yaml)"
for document in header.yaml any.yaml; do
  expect '' "$(changes breaking "$document")"
  expect '' "$(changes changelog "$document")"
  ./oasdiff diff old.yaml "$document" | grep -q x-kind || { echo 'Changed: diff does not show it'; exit 1; }
done
echo 'As found: oasdiff 1.37.0 reports no new value of a header of a response.'
