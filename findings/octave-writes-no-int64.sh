#!/usr/bin/env bash
# GNU Octave 7.3.0 (Debian 12: octave).
#
# Guess: jsonencode writes an integer in its digits, because it knows the type int64.
# Seen:  up to 999999 it does. From 1000000 on it says "unsupported type", and of a double it writes 1000000.0, which a reader of integers
#        may refuse. An int32 is refused, too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! dpkg-query -W octave > /dev/null 2>&1; then
  echo 'Install it first: apt-get install --no-install-recommends octave, of Debian 12'
  exit 1
fi
run() { octave-cli --norc --eval "try, printf('%s', $1), catch failure, printf('%s', failure.message), end" 2> log; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 7.3.0 "$(run 'version()')"
expect '{"id":999999}' "$(run 'jsonencode(struct("id", int64(999999)))')"
expect 'jsonencode: unsupported type' "$(run 'jsonencode(struct("id", int64(1000000)))')"
expect 'jsonencode: unsupported type' "$(run 'jsonencode(struct("id", int32(1000000)))')"
expect '{"id":1000000.0}' "$(run 'jsonencode(struct("id", 1000000))')"
echo 'As found: jsonencode of Octave 7.3.0 refuses integers from 1000000 on.'
