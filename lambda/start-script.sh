#!/bin/sh
# Starts Node with the arguments that Lambda chose, except --expose-gc: with it, V8 refuses the code cache of Node's own
# modules and compiles each from source. In its place, V8 gets room for new objects of 4 MB from the start, so that a cold
# start collects no garbage (docs/decisions.md, 10). Lambda Developer Guide, "Modifying the runtime environment".
for argument do
  shift
  [ "$argument" != --expose-gc ] || argument=--min-semi-space-size=4
  set -- "$@" "$argument"
done
exec "$@"
