#!/usr/bin/env bash
# dasel 2.8.1 (Go: github.com/tomwright/dasel/v2), which converts between formats of data.
#
# Guess: a number of JSON is the same number in CSV and YAML.
# Seen:  in both it has six decimal places: 46.948090123, a latitude, becomes 46.948090, and 0.00000012 becomes 0.000000, without an error. JSON
#        and TOML keep them. A number such as 1e3 is an error in all of them. 9007199254740993 keeps its digits in all.
# Needs: Go from 1.21.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
GOBIN=$folder go install github.com/tomwright/dasel/v2/cmd/dasel@v2.8.1 2> log || { tail -5 log; exit 1; }
# Converts a number. $1: number; $2: format.
to() { echo "{\"n\":$1}" | ./dasel -r json -w "$2" 2>&1 | tr -d ' ' | tr '\n' ' '; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 'n 46.948090 ' "$(to 46.948090123 csv)"
expect 'n:46.948090 ' "$(to 46.948090123 yaml)"
expect 'n=46.948090123 ' "$(to 46.948090123 toml)"
expect '{ "n":46.948090123 } ' "$(to 46.948090123 json)"
expect 'n:0.000000 ' "$(to 0.00000012 yaml)"
expect 'n 9007199254740993 ' "$(to 9007199254740993 csv)"
case "$(to 1e3 json)" in Error:*) ;; *) echo 'Changed: 1e3 is no error'; exit 1 ;; esac
echo 'As found: dasel 2.8.1 cuts decimals to six places in CSV and YAML.'
