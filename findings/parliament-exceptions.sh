#!/usr/bin/env bash
# parliament 1.6.4 (PyPI), a linter of IAM policies.
#
# Guess: a finding that the file of --config names under `ignore_locations`, as the comment in its source shows, is not reported.
# Seen:  it is reported all the same, whether the location is written as a text or as a list, and the exit code is 1.
#        A finding can only be left out for all policies at once, by its severity.
# Also:  it imports pkg_resources, which setuptools has up to version 81 only, and does not name setuptools as a dependency.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check parliament==1.6.4 setuptools==80.10.2

mkdir policies
cat > policies/audit.json <<'POLICY'
{ "Version": "2012-10-17", "Statement": [{ "Effect": "Allow", "Action": "sqs:GetQueueUrl", "Resource": "*" }] }
POLICY
printf 'RESOURCE_STAR:\n  ignore_locations:\n    - filepath: policies/audit.json\n' > text.yaml
printf 'RESOURCE_STAR:\n  ignore_locations:\n    - filepath: [policies/audit.json]\n' > list.yaml
printf 'RESOURCE_STAR:\n  severity: MUTE\n' > muted.yaml

lint() { python/bin/parliament --directory policies --minimal "$@" < /dev/null 2> /dev/null || echo "exit $?"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect $'RESOURCE_STAR\nexit 1' "$(lint)"
expect $'RESOURCE_STAR\nexit 1' "$(lint --config text.yaml)"
expect $'RESOURCE_STAR\nexit 1' "$(lint --config list.yaml)"
expect '' "$(lint --config muted.yaml)"
if python/bin/pip show parliament 2> /dev/null | grep -q '^Requires:.*setuptools'; then echo 'Changed: it names setuptools'; exit 1; fi
echo 'As found: parliament 1.6.4 reports what ignore_locations names.'
