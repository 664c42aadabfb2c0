#!/usr/bin/env bash
# Makes a release on GitHub: make-release.sh v1.0.0. Its notes are the section of CHANGELOG.md; its files are the packed client and
# the bill of materials.
set -euo pipefail
tag=$1
version=${tag#v}
files=$(mktemp -d)

if [ "$(jq -r .version package.json)" != "$version" ]; then
  echo "package.json has another version than the tag $tag." >&2
  exit 1
fi
# The release has no folder in which a link such as docs/errors.md would be found.
awk -v heading="## [$version]" '/^## / { on = index($0, heading) == 1 && !/unreleased/; next } on' CHANGELOG.md |
  sed "s|](docs/|](${GITHUB_SERVER_URL:-}/${GITHUB_REPOSITORY:-}/blob/$tag/docs/|g" > "$files/notes.md"
if ! grep -q . "$files/notes.md"; then
  echo "CHANGELOG.md has no notes of $version, or calls it unreleased." >&2
  exit 1
fi
npm pack --silent --workspace client --pack-destination "$files"
# With what only builds or tests, which is marked as development: `--omit dev` would also omit what is both deployed and used by a tool.
npm sbom --sbom-format cyclonedx > "$files/sbom.cdx.json"
gh release create "$tag" --verify-tag --title "$tag" --notes-file "$files/notes.md" "$files"/*.tgz "$files/sbom.cdx.json"
