#!/usr/bin/env bash
# LibreOffice 7.4.7 (Debian 12: libreoffice-calc-nogui), which converts files without a window.
#
# Guess: `soffice --convert-to csv` of a CSV file writes the same fields; a file in UTF-8 is read as UTF-8, at least where the locale is UTF-8.
# Seen:  it is read as Windows-1252, so that ü becomes Ã¼ in a file that is UTF-8 again; a field =1+1 is calculated, and
#        007 is 7. The exit code is 0. An --infilter that says UTF-8, and that the column is text, keeps all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! soffice --version | grep -q ' 7\.4\.7'; then
  echo 'Install it first: apt-get install --no-install-recommends libreoffice-calc-nogui, of Debian 12'
  exit 1
fi
export LC_ALL=C.UTF-8
printf 'name\nGrün\n=1+1\n007\n' > plants.csv
mkdir back
convert() { soffice "-env:UserInstallation=file://$PWD/profile" --headless "$@" --outdir back plants.csv > log 2>&1; cat back/plants.csv; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
utf8='csv:Text - txt - csv (StarCalc):44,34,76'
expect $'name\nGrÃ¼n\n2\n7' "$(convert --convert-to "$utf8")"
expect $'name\nGrün\n=1+1\n007' "$(convert --infilter=CSV:44,34,76,1,1/2 --convert-to "$utf8")"
echo 'As found: LibreOffice 7.4.7 converts a CSV file of UTF-8 as one of Windows-1252, and calculates its formulas.'
