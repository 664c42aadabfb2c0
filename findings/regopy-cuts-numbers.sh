#!/usr/bin/env bash
# regopy 1.5.2 (PyPI), Rego for Python, over rego-cpp.
#
# Guess: an integer that Rego calculates with exactly is written in its digits by sprintf.
# Seen:  sprintf("%d", [9007199254740993]) is "1": it is cut to 32 bits. to_number rounds the text "9007199254740993" to …992. Addition,
#        multiplication and format_int are exact, so only the text of a message names another number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check regopy==1.5.2

run() { venv/bin/python -c 'import json, regopy, sys; print(json.loads(str(regopy.Interpreter().query("x := " + sys.argv[1])))["bindings"]["x"])' "$1"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 9007199254740994 "$(run '9007199254740993 + 1')"
expect 9007199254740993 "$(run 'format_int(9007199254740993, 10)')"
expect 503 "$(run 'sprintf("%d", [503])')"
expect 1 "$(run 'sprintf("%d", [9007199254740993])')"
expect 9007199254740992 "$(run 'to_number("9007199254740993")')"
echo 'As found: sprintf of regopy 1.5.2 cuts an integer to 32 bits.'
