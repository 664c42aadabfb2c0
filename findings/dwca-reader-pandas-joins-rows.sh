#!/usr/bin/env bash
# python-dwca-reader 0.17.1 with pandas 2.3.3 (PyPI), which reads Darwin Core Archives.
#
# Guess: the reader gives the same rows, whether a program goes through them or gets them as a table of pandas.
# Seen:  the archive says that no quotes stand around texts (fieldsEnclosedBy=""). Going through it gives four rows. pd_read() gives two: it
#        leaves that line of the archive out, so that a quote at the start of a text takes in the rows up to the next quote, without an
#        error. pd_read(…, quoting=csv.QUOTE_NONE) gives four.
# Needs: Python from 3.9.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check python-dwca-reader==0.17.1 pandas==2.3.3
cat > main.py <<'PY'
import csv
import zipfile
from dwca.read import DwCAReader

META = '''<archive xmlns="http://rs.tdwg.org/dwc/text/">
<core encoding="UTF-8" linesTerminatedBy="\\n" fieldsTerminatedBy="\\t" fieldsEnclosedBy="" ignoreHeaderLines="1" rowType="http://rs.tdwg.org/dwc/terms/Taxon">
<files><location>taxon.txt</location></files><id index="0"/>
<field index="1" term="http://rs.tdwg.org/dwc/terms/scientificName"/>
<field index="2" term="http://rs.tdwg.org/dwc/terms/taxonRemarks"/></core></archive>'''
ROWS = ['taxonID\tscientificName\ttaxonRemarks', '1\t"Peace\trose', '2\tMoss\tshade', '3\tFern\tpot of 5"', '4\tBeech\tred']
with zipfile.ZipFile('archive.zip', 'w') as archive:
    archive.writestr('meta.xml', META)
    archive.writestr('taxon.txt', '\n'.join(ROWS) + '\n')
with DwCAReader('archive.zip') as reader:
    print(len(list(reader)), len(reader.pd_read('taxon.txt')), len(reader.pd_read('taxon.txt', quoting=csv.QUOTE_NONE)))
PY
seen=$(venv/bin/python main.py)
[ "$seen" = '4 2 4' ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: pd_read of python-dwca-reader 0.17.1 makes one row of three.'
