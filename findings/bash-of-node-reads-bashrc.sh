#!/usr/bin/env bash
# bash 5.2.15 (Debian 12), started by Node.
#
# Guess: `bash -c` reads no start-up file: it is not interactive, and no login shell.
# Seen:  started by Node's execFile, it reads ~/.bashrc, which may set another PATH. Node's pipes are sockets; from that, Debian's bash
#        concludes that it was started by a remote shell. It does so only where SHLVL is not set, as under cron, systemd or setsid, so
#        that the same program works in a terminal. With --norc it does not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo 'FROM=bashrc' > .bashrc

by_node() {
  env --ignore-environment HOME="$PWD" PATH="$PATH" "$@" node -e '
    require("child_process").execFile("bash", [...process.argv.slice(1), "-c", "echo [$FROM]"], (_, out) => process.stdout.write(out))' \
    -- $NORC
}
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect '[]' "$(env --ignore-environment HOME="$PWD" bash -c 'echo [$FROM]' < /dev/null)"
expect '[bashrc]' "$(NORC='' by_node)"
expect '[]' "$(NORC='' by_node SHLVL=1)"
expect '[]' "$(NORC='--norc' by_node)"
echo 'As found: bash of Debian 12 reads ~/.bashrc when Node starts it without SHLVL.'
