#!/usr/bin/env bash
# rsyslog 8.2302.0 (Debian 12: rsyslog), with mmjsonparse, which passes logs on and compares their values in RainerScript.
#
# Guess: of a line {"took":2.9}, `$!took > 2` is true, and `$!took == 2` is not.
# Seen:  it is the other way round, without an error: a number with a point counts as its whole part. Its text stays 2.9. The integer
#        9223372036854775808 becomes 9223372036854775807 when the line is written again. 1e3 counts as 1000, and 9007199254740993 is kept.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! command -v rsyslogd > /dev/null; then
  echo 'Install it first: apt-get install --no-install-recommends rsyslog, of Debian 12, in place of another one such as syslog-ng'
  exit 1
fi
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 8.2302.0 "$(rsyslogd -v | sed -n '1s/.*rsyslogd *\([^ ]*\) .*/\1/p')"
echo '{"took":2.9,"thousand":1e3,"id":9007199254740993,"large":9223372036854775808}' > in.log
cat > rsyslog.conf <<CONF
global(workDirectory="$folder")
module(load="imfile")
module(load="mmjsonparse")
input(type="imfile" File="$folder/in.log" Tag="example" ruleset="all")
template(name="seen" type="string" string="%\$.seen%|%\$!took%|%\$!id%|%\$!large%\n")
ruleset(name="all") {
  action(type="mmjsonparse" cookie="")
  set \$.seen = "";
  if \$!took > 2 then set \$.seen = \$.seen & " more than 2";
  if \$!took == 2 then set \$.seen = \$.seen & " equal to 2";
  if \$!thousand == 1000 then set \$.seen = \$.seen & " thousand";
  if \$!id == 9007199254740992 then set \$.seen = \$.seen & " other id";
  action(type="omfile" file="$folder/out.log" template="seen")
}
CONF
rsyslogd -n -f rsyslog.conf -i "$folder/pid" > log 2>&1 &
for _ in $(seq 60); do [ ! -s out.log ] || break; sleep 0.25; done
kill $! && wait $! || true
expect ' equal to 2 thousand|2.9|9007199254740993|9223372036854775807' "$(cat out.log)"
echo 'As found: rsyslog 8.2302.0 compares the whole part of a number.'
