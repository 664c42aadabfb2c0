#!/usr/bin/env bash
# Sling 1.4.11 (PyPI: sling-linux-amd64, the last version whose program is in a package; later ones download it).
#
# Guess: --columns gives columns of CSV their types, and changes nothing else.
# Seen:  in some runs of the same command, the values stand in other columns: the id under tag, the name under id. The exit code is 0.
#        Without --columns, no run of 40 does that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$PWD SLING_DISABLE_TELEMETRY=true
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check sling-linux-amd64==1.4.11
cp venv/lib/python3*/site-packages/sling_linux_amd64/bin/sling-linux-amd64 sling
chmod +x sling
printf 'id,name,tag\n1,42,007\n' > plants.csv
types='{"id": "bigint", "name": "string", "tag": "string"}'

# What 40 runs have written, each once.
written() {
  for _ in $(seq 40); do
    ./sling run --src-stream "file://$PWD/plants.csv" --tgt-object "file://$PWD/back.jsonl" "$@" > log 2>&1 || { cat log; return; }
    cat back.jsonl
  done | sort -u
}
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect '{"id":1,"name":42,"tag":"007"}' "$(written)"
with_types=$(written --columns "$types")
grep -qF '{"id":1,"name":"42","tag":"007"}' <<< "$with_types" || expect 'a right row' "$with_types"
grep -qE '"tag":"?(1|42)"?\}' <<< "$with_types" || expect 'a row with another value as the tag' "$with_types"
echo 'As found: Sling 1.4.11 writes values into other columns in some runs with --columns.'
