"""The document of the server and the analysis, and validators of its schemas."""
import json
import pathlib

import jsonschema

ROOT = pathlib.Path(__file__).parents[2]
TEXT = (ROOT / "play" / "json" / "api.json").read_text()
API = json.loads(TEXT)


def validator(schema):
    """Of a schema by its name, or of one of the document's own."""
    reference = {"$ref": f"#/components/schemas/{schema}"} if isinstance(schema, str) else schema
    return jsonschema.Draft202012Validator({**reference, "components": API["components"]})
