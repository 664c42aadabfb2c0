#!/usr/bin/env bash
# Duktape 2.7.0 (Debian 12: duktape), a JavaScript engine for small devices, and Node.
#
# Guess: 9007199254740993 becomes …992, as in every engine: of two doubles that are as near, ECMAScript takes the even one.
# Seen:  it becomes …994, also in JSON.parse. 1e23 is written as 1.0000000000000001e+23. 9007199254740995 becomes …996 in both.
# Needs: Node.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! command -v duk > /dev/null; then
  echo 'Install it first: apt-get install --no-install-recommends duktape, of Debian 12'
  exit 1
fi
cat > numbers.js <<'JS'
var write = typeof print === 'function' ? print : console.log;
write([9007199254740993, JSON.parse('9007199254740993'), 9007199254740995, 1e23].join(' '));
JS
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 20700 "$(duk -e 'print(Duktape.version)')"
expect '9007199254740994 9007199254740994 9007199254740996 1.0000000000000001e+23' "$(duk numbers.js)"
expect '9007199254740992 9007199254740992 9007199254740996 1e+23' "$(node numbers.js)"
echo 'As found: Duktape 2.7.0 makes …994 of 9007199254740993.'
