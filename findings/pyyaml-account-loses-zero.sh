#!/usr/bin/env bash
# PyYAML 6.0.4 (PyPI) as the writer; yaml 2.9.1 and js-yaml 4.3.2 (npm) as readers.
#
# Guess: PyYAML writes a text of digits, such as the number of an AWS account, in quotes, so that each reader of YAML takes it for a text.
# Seen:  it puts quotes only around what is a number in YAML 1.1. There, 089012345678 is none: the zero says octal, and 8 and 9 are no
#        octal digits. 111122223333 and 012345670123 have quotes. yaml and js-yaml take it for a number, and the account loses its zero.
#        12e34567, as a commit's id may be, has no quotes either, and is Infinity for yaml: null in JSON.
# Mend:  default_style='"' for PyYAML.
# Needs: Node from 20, npm, Python 3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check pyyaml==6.0.4
npm install --silent --no-audit --no-fund --ignore-scripts yaml@2.9.1 js-yaml@4.3.2

# Writes three accounts and a commit.
write() {
  python/bin/python -c "import yaml
print(yaml.safe_dump(['111122223333', '012345670123', '089012345678', '12e34567']$1), end='')" > texts.yaml
}
read_by() { node --input-type=commonjs -e "console.log(JSON.stringify(require('$1').$2(require('fs').readFileSync('texts.yaml', 'utf8'))))"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
write ''
expect "- '111122223333'
- '012345670123'
- 089012345678
- 12e34567" "$(cat texts.yaml)"
texts='["111122223333","012345670123","089012345678","12e34567"]'
expect '["111122223333","012345670123",89012345678,null]' "$(read_by yaml parse)"
expect '["111122223333","012345670123",89012345678,"12e34567"]' "$(read_by js-yaml load)"
write ", default_style='\"'"
expect "$texts" "$(read_by yaml parse)"
expect "$texts" "$(read_by js-yaml load)"
echo 'As found: texts that PyYAML 6.0.4 writes without quotes are numbers for yaml 2.9.1 and js-yaml 4.3.2.'
