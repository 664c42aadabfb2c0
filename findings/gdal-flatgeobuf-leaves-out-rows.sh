#!/usr/bin/env bash
# GDAL 3.6.2 (Debian 12: gdal-bin), which converts data of maps.
#
# Guess: a plant whose place is not known is kept without a geometry, as in GeoJSON and GeoPackage, or is refused.
# Seen:  ogr2ogr leaves it out of a FlatGeobuf file, with exit code 0 and without a word; of a table that has no places at all, it
#        writes a file without rows. GeoJSON and GeoPackage keep it. GDAL 3.12.4, in pyogrio 0.13.0 of PyPI, refuses it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! command -v ogr2ogr > /dev/null; then
  echo 'Install it first: apt-get install --no-install-recommends gdal-bin, of Debian 12'
  exit 1
fi
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 'GDAL 3.6.2,' "$(ogr2ogr --version | cut -d' ' -f1,2)"
printf '%s\n' id,name,lon,lat 1,Fern,8.5,47.3 2,Moss,, 3,Beech,9.5,46.3 > places.csv
printf '%s\n' id,name 1,Fern 2,Moss > names.csv
# Converts a file, and prints how many rows the result has. $1: driver; $2: result; $3: file.
rows() {
  rm -f "$2"
  ogr2ogr -f "$1" "$2" "$3" -oo X_POSSIBLE_NAMES=lon -oo Y_POSSIBLE_NAMES=lat -a_srs EPSG:4326 > log 2>&1
  [ ! -s log ] || { cat log; return; }
  ogrinfo -ro -so -al "$2" | sed -n 's/^Feature Count: //p'
}
expect 3 "$(rows GeoJSON back.json places.csv)"
expect 2 "$(rows FlatGeobuf back.fgb places.csv)"
expect 0 "$(rows FlatGeobuf back.fgb names.csv)"
expect 3 "$(rows GPKG back.gpkg places.csv)"
expect 2 "$(rows GeoJSON back.json names.csv)"
echo 'As found: ogr2ogr of GDAL 3.6.2 leaves rows without a place out of FlatGeobuf.'
