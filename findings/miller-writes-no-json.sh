#!/usr/bin/env bash
# Miller 6.6.0 (Debian 12).
#
# Guess: `mlr --icsv --ojson` writes JSON; a field that JSON has no number for is written as a text, as 007 is.
# Seen:  a field that Miller takes for a number is written as it stands in the CSV: 0x1F, .5 and 1. are no numbers of JSON, so no parser of
#        JSON reads the file. The exit code is 0. With -S, all fields are texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download miller=6.6.0-2+b3 > log 2>&1
dpkg -x miller_*.deb .
printf 'code\n007\n0x1F\n.5\n1.\n' > codes.csv

mlr() { usr/bin/mlr "$@"; }
is_json() { python3 -c 'import json, sys; json.load(sys.stdin)' 2> /dev/null && echo yes || echo no; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect $'{"code": "007"}\n{"code": 0x1F}\n{"code": .5}\n{"code": 1.}' "$(mlr --icsv --ojsonl cat codes.csv)"
expect no "$(mlr --icsv --ojson cat codes.csv | is_json)"
expect yes "$(mlr --icsv --ojson -S cat codes.csv | is_json)"
echo 'As found: Miller 6.6.0 writes numbers of CSV into JSON that JSON does not have.'
