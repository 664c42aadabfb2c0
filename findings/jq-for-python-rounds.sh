#!/usr/bin/env bash
# jq 1.13.0 (PyPI), jq for Python, which has jq 1.8.2 in it.
#
# Guess: jq keeps the digits of a large integer that it only passes on, since 1.7; so a package with jq 1.8.2 does, too.
# Seen:  9007199254740993 becomes 9007199254740992, also as text: .text() makes Python's values first, and all numbers are doubles
#        there. A text that jq has made of the number inside keeps its digits, so it is not jq that loses them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check jq==1.13.0

run() { venv/bin/python -c "import jq; print(jq.compile(r'''$1''').input_text('{\"id\":9007199254740993}').$2)"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect '{"id": 9007199254740992}' "$(run . 'text()')"
expect '9007199254740992' "$(run .id 'first()')"
expect '9007199254740993' "$(run '.id | tojson' 'first()')"
echo 'As found: jq 1.13.0 for Python rounds the integers that jq 1.8.2 keeps.'
