#!/usr/bin/env bash
# Frictionless 5.21.0 (PyPI), the Frictionless Framework for tables.
#
# Guess: a column in which one code of ten is A7 and the others are digits is a column of texts; else, writing it fails.
# Seen:  it is a column of integers from nine of ten on, and the A7 is gone from what it writes, without a warning: the cell is empty, and
#        the exit code is 0. validate() says so. With eight of nine, all codes are kept. With field_type='string', they are, too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check frictionless==5.21.0
printf 'code\n%s\nA7\n' "$(seq 1 9)" > nine.csv
printf 'code\n%s\nA7\n' "$(seq 1 8)" > eight.csv
cat > rewrite.py <<'PYTHON'
import sys
from frictionless import Detector, Resource
source, target, *options = sys.argv[1:]
Resource(source, **({'detector': Detector(field_type='string')} if options else {})).write(target)
PYTHON

# The last code of a copy.
last() { venv/bin/python rewrite.py "$1" copy.csv "${@:2}" 2>&1 && tail -n 1 copy.csv | tr -d '\r'; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect A7 "$(last eight.csv)"
expect '""' "$(last nine.csv)"
expect A7 "$(last nine.csv string)"
expect 'False ["type-error"]' "$(venv/bin/python -c "
import json; from frictionless import validate
report = validate('nine.csv'); print(report.valid, json.dumps([error.type for error in report.tasks[0].errors]))")"
echo 'As found: Frictionless 5.21.0 drops the texts of a column of which nine of ten are numbers.'
