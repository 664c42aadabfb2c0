#!/usr/bin/env bash
# .github/unpack-cdk-out.sh SHA256: unpacks the cdk.out that the job `synthesize` has handed over, if it is that one: each job of a run could
# have replaced the artifact.
set -euo pipefail

sum=${1:?the SHA-256 of the archive}
archive=$RUNNER_TEMP/cdk.out.tar
echo "$sum  $archive" | sha256sum --check --quiet
rm -rf cdk.out
tar -xf "$archive"
