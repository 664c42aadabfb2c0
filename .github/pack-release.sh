#!/usr/bin/env bash
# Packs a release: pack-release.sh v1.0.0 FOLDER. Its notes are the section of CHANGELOG.md; its files are the packed client and the bill of
# materials.
set -euo pipefail
tag=$1
version=${tag#v}
files=$2
mkdir -p "$files"

for file in package.json client/package.json; do
  if [ "$(jq -r .version "$file")" != "$version" ]; then
    echo "$file has another version than the tag $tag." >&2
    exit 1
  fi
done
# The release has no folder in which a link such as docs/errors.md would be found.
awk -v heading="## [$version]" '/^## / { on = index($0, heading) == 1 && tolower($0) !~ /unreleased/; next } on' CHANGELOG.md |
  sed "s|](docs/|](${GITHUB_SERVER_URL:-}/${GITHUB_REPOSITORY:-}/blob/$tag/docs/|g" > "$files/notes.md"
if ! grep -q . "$files/notes.md"; then
  echo "CHANGELOG.md has no notes of $version, or calls it unreleased." >&2
  exit 1
fi
# By name: with `ignore-scripts=true`, `npm pack` builds nothing, packs an empty client and exits with 0.
npm run --silent --workspace client prepack
npm pack --silent --ignore-scripts --workspace client --pack-destination "$files"
if ! tar -tzf "$files"/*.tgz package/dist/index.js > /dev/null 2>&1; then
  echo 'The packed client lacks dist/index.js.' >&2
  exit 1
fi
# With what only builds or tests, which is marked as development: `--omit dev` would also omit what is both deployed and used by a tool.
npm sbom --sbom-format cyclonedx > "$files/sbom.cdx.json"
