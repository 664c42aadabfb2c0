#!/usr/bin/env bash
# jiffy 1.1.1 (Debian 12: erlang-jiffy), JSON for Erlang, in Elixir 1.14.
#
# Guess: nil of Elixir is written as null, or refused.
# Seen:  it is the text "nil", and undefined of Erlang the text "undefined", because both are atoms. Only the option use_nil makes null of nil.
#        Read again without it, null is the atom null, and is written as null.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! command -v elixir > /dev/null || ! ls /usr/lib/erlang/lib/jiffy-* > /dev/null 2>&1; then
  echo 'Install it first: apt-get install --no-install-recommends elixir erlang-jiffy, of Debian 12'
  exit 1
fi
run() { elixir -pa /usr/lib/erlang/lib/jiffy-*/ebin -e "IO.puts($1)"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 1.1.1 "$(run 'Application.load(:jiffy) && Application.spec(:jiffy, :vsn)')"
expect '{"tag":"nil"}' "$(run ':jiffy.encode(%{tag: nil})')"
expect '{"tag":"undefined"}' "$(run ':jiffy.encode(%{tag: :undefined})')"
expect '{"tag":null}' "$(run ':jiffy.encode(%{tag: nil}, [:use_nil])')"
expect '{"tag":null}' "$(run ':jiffy.encode(:jiffy.decode(~s({"tag":null})))')"
echo 'As found: jiffy 1.1.1 writes nil as the text "nil".'
