"""Why an instance is not valid: the one room that knows python-jsonschema."""
