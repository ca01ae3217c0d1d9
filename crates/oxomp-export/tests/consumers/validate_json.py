"""Checks that a document follows its schema, both of which are files."""

import json
import sys

import jsonschema

schema, document = (json.load(open(path)) for path in sys.argv[1:3])
jsonschema.Draft202012Validator.check_schema(schema)
errors = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(document)]
sys.exit("\n".join(errors[:5]) or 0)
