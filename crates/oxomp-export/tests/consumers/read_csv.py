"""Reads the tables of a folder and prints, as JSON, the rows of each as dictionaries."""

import csv
import json
import pathlib
import sys

tables = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.csv")):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert all(None not in row and None not in row.values() for row in rows), path
    tables[path.name] = rows
print(json.dumps(tables))
