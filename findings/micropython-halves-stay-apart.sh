#!/usr/bin/env bash
# MicroPython 1.27.0 (npm: @micropython/micropython-webassembly-pyscript).
#
# Guess: json.loads makes one character of an escaped pair such as \ud83c\udf31, as Python does. Python's json.dumps writes a seedling so.
# Seen:  it makes two halves, each in three bytes, which is not UTF-8. json.dumps writes these bytes, and a strict reader refuses them. The
#        same character unescaped stays whole.
# Needs: Node from 20, npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @micropython/micropython-webassembly-pyscript@1.27.0
cat > run.mjs <<'JS'
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
const python = await loadMicroPython({ stdout: (line) => console.log(line) });
python.runPython(`import json\ntext = json.loads(${JSON.stringify(process.argv[2])})\nprint(len(text), json.dumps(text).encode())`);
JS
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect "2 b'\"\\xed\\xa0\\xbc\\xed\\xbc\\xb1\"'" "$(node run.mjs '"\ud83c\udf31"')"
expect "1 b'\"\\xf0\\x9f\\x8c\\xb1\"'" "$(node run.mjs '"🌱"')"
echo 'As found: MicroPython 1.27.0 makes two halves of an escaped pair.'
