#!/usr/bin/env bash
# Apache Spark 4.3.0 (pyspark, PyPI; it needs Java 17).
#
# Guess: Spark's CSV is that of RFC 4180: a double quote in a field is doubled, and spaces are part of the field.
# Seen:  Python's csv reads another text without a word: a quote is written as \", and the spaces at both ends are gone. The reader does not
#        trim by default, the writer does. With escape='"' and two options that say not to ignore the spaces, the text comes back.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyspark==4.3.0
cat > write.py <<'PYTHON'
import csv, glob, sys
from pyspark.sql import SparkSession
spark = (SparkSession.builder.master('local[1]').config('spark.ui.enabled', False)
         .config('spark.driver.host', '127.0.0.1').config('spark.driver.bindAddress', '127.0.0.1').getOrCreate())
texts = spark.createDataFrame([('a "b", c',), ('  d  ',)], ['text']).coalesce(1)
exact = {'escape': '"', 'ignoreLeadingWhiteSpace': False, 'ignoreTrailingWhiteSpace': False}
for name, options in ('default', {}), ('exact', exact):
    texts.write.csv(name, **options)
    [file] = glob.glob(f'{name}/part-*.csv')
    print(name, list(csv.reader(open(file, newline=''))))
PYTHON

expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect $'default [[\'a \\\\b\\\\"\', \' c"\'], [\'d\']]\nexact [[\'a "b", c\'], [\'  d  \']]' \
  "$(venv/bin/python write.py 2> spark.log || tail -5 spark.log)"
echo 'As found: Spark 4.3.0 writes CSV that other readers read as other texts.'
