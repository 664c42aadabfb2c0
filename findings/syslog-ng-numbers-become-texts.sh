#!/usr/bin/env bash
# syslog-ng 3.38.1 (Debian 12: syslog-ng-core), which passes logs on.
#
# Guess: a line that json-parser() reads, and $(format-json) writes, has the same values.
# Seen:  numbers and true become texts, 1.5 becomes "1.500000", null becomes "", a list becomes one text, and a name with a dot
#        becomes two levels. An integer keeps its digits. With @version: 4.0 of later releases, it was not tried.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! command -v syslog-ng > /dev/null; then
  echo 'Install it first: apt-get install --no-install-recommends syslog-ng-core, of Debian 12'
  exit 1
fi
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 'syslog-ng 3 (3.38.1)' "$(syslog-ng --version | head -n 1)"
echo '{"id":9007199254740993,"size":1.5,"cold":true,"tag":null,"kinds":["a","b,c"],"a.b":1}' > in.log
cat > syslog-ng.conf <<CONF
@version: 3.38
source s { file("$folder/in.log" flags(no-parse) follow-freq(1)); };
parser p { json-parser(prefix(".json.")); };
destination d { file("$folder/out.log" template("\$(format-json --scope none --key .json.* --shift-levels 2)\n")); };
log { source(s); parser(p); destination(d); };
CONF
syslog-ng --foreground --no-caps --cfgfile syslog-ng.conf --persist-file persist --control control --pidfile pid > log 2>&1 &
for _ in $(seq 40); do [ ! -s out.log ] || break; sleep 0.25; done
kill $! && wait $! || true
expect '{"tag":"","size":"1.500000","kinds":"a,b,c","id":"9007199254740993","cold":"true","a":{"b":"1"}}' "$(cat out.log)"
echo 'As found: syslog-ng 3.38.1 makes texts of the values of JSON.'
