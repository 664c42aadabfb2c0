#!/usr/bin/env bash
# data.table 1.14.8 (Debian 12: r-cran-data.table), R's fast reader and writer of CSV.
#
# Guess: what fwrite writes, fread reads again: a doubled quote of CSV is one quote.
# Seen:  fread keeps both, without a word, and fwrite doubles each: every pass doubles the quotes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! Rscript -e 'library(data.table)' > /dev/null 2>&1; then
  echo 'Install it first: apt-get install --no-install-recommends r-cran-data.table, of Debian 12'
  exit 1
fi
run() { Rscript -e "suppressMessages(library(data.table)); $1"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 1.14.8 "$(run 'cat(format(packageVersion("data.table")))')"
run 'fwrite(data.table(text = "a \"b\" c"), "once.csv"); fwrite(fread("once.csv", sep = ","), "twice.csv")'
expect $'text\n"a ""b"" c"' "$(< once.csv)"
expect $'text\n"a """"b"""" c"' "$(< twice.csv)"
echo 'As found: fread 1.14.8 keeps doubled quotes, and fwrite doubles them again.'
