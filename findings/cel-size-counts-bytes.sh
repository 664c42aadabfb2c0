#!/usr/bin/env bash
# common-expression-language 0.10.0 (PyPI), CEL for Python, over a core in Rust.
#
# Guess: size() of a text counts its characters, as the definition of CEL says: its Unicode code points.
# Seen:  it counts the bytes of UTF-8: é has 2, a seedling 4. So a rule such as size(name) <= 100 refuses texts that it should accept.
# Also:  9007199254740993 == 9007199254740992.0 is true, where the definition compares the exact values.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check common-expression-language==0.10.0

run() { venv/bin/python -c 'import cel, sys; print(cel.evaluate(sys.argv[1]))' "$1"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 1 "$(run 'size("e")')"
expect 2 "$(run 'size("é")')"
expect 4 "$(run 'size("🌱")')"
expect True "$(run '9007199254740993 == 9007199254740992.0')"
expect False "$(run '9007199254740993 == 9007199254740992')"
echo 'As found: common-expression-language 0.10.0 counts the bytes of a text.'
