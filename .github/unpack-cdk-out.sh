#!/usr/bin/env bash
# .github/unpack-cdk-out.sh SHA256: unpacks the cdk.out that the job `synthesize` has handed over, if it is that one: each job of a run could
# have replaced the artifact.
set -euo pipefail

sum=${1:?the SHA-256 of the archive}
archive=$RUNNER_TEMP/cdk-out/cdk.out.tar
echo "$sum  $archive" | sha256sum --check --quiet
# In a folder of its own: where it was written, packages ran that this job must not run. So it may bring no file beside cdk.out, and no link.
folder=$(mktemp -d)
tar -xf "$archive" -C "$folder"
if [ "$(ls -A "$folder")" != cdk.out ] || find "$folder" ! -type f ! -type d | grep -q .; then
  echo 'The archive has more than the files of cdk.out.' >&2
  exit 1
fi
rm -rf cdk.out
mv "$folder/cdk.out" .
