#!/usr/bin/env bash
# lnav 0.11.1 (Debian 12: lnav), which reads logs.
#
# Guess: a time that is the text "1769860800100" is read as the number 1769860800100 is, with the divisor of the format. Or it is refused.
# Seen:  the number is 2026-01-31 12:00:00.100. The text never is: by the run, the line is shown as it is, without a time, or with one of another
#        year, such as 1645 or 9597. No message says so. API Gateway writes its times as such texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder
if ! command -v lnav > /dev/null; then
  echo 'Install it first: apt-get install --no-install-recommends lnav, of Debian 12'
  exit 1
fi
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 'lnav 0.11.1' "$(lnav -V)"
cat > format.json <<'JSON'
{
  "$schema": "https://lnav.org/schemas/format-v1.schema.json",
  "gateway_log": {
    "title": "Gateway", "json": true, "timestamp-field": "time", "timestamp-divisor": 1000,
    "line-format": [{ "field": "__timestamp__" }, " ", { "field": "status" }],
    "value": { "status": { "kind": "integer" } }
  }
}
JSON
lnav -i format.json > log 2>&1
for second in 0 1 2; do
  echo "{\"time\":176986080${second}100,\"status\":200}" >> number.log
  echo "{\"time\":\"176986080${second}100\",\"status\":200}" >> text.log
done
# Prints how many of the lines are shown with the year that they are of.
right() { lnav -n "$1" 2> /dev/null | grep -c '^2026-01-31T12:00:0' || true; }
expect 3 "$(right number.log)"
for run in 1 2 3 4; do expect 0 "$(right text.log)"; done
echo 'As found: lnav 0.11.1 does not read a number in a text as the time that it is.'
