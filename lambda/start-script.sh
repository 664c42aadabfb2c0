#!/bin/sh
# Starts Node with the arguments that Lambda chose, except --expose-gc: with it, V8 refuses the code cache of Node's own
# modules and compiles each from source (docs/decisions.md, 18). Lambda Developer Guide, "Modifying the runtime environment".
for argument do
  shift
  [ "$argument" = --expose-gc ] || set -- "$@" "$argument"
done
exec "$@"
