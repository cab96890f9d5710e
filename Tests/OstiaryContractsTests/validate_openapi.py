#!/usr/bin/env python3
"""Checks that every file given is a valid OpenAPI 3.1 document whose operations are told apart.

    ostiary contract openapi vici > vici.json
    python3 Tests/OstiaryContractsTests/validate_openapi.py vici.json
"""

import json
import re
import sys

from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

METHODS = {"get", "put", "post", "delete", "patch"}


def schemas(node, place):
    """Every schema of the document with its place."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "schema":
                yield f"{place}/schema", value
            elif key == "schemas":
                for name, schema in value.items():
                    yield f"{place}/schemas/{name}", schema
            yield from schemas(value, f"{place}/{key}")
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from schemas(value, f"{place}/{index}")


def problems(document):
    if not str(document.get("openapi", "")).startswith("3.1."):
        yield "not OpenAPI 3.1"
    for error in OpenAPIV31SpecValidator(document).iter_errors():
        yield f"{'/'.join(str(part) for part in error.absolute_path)}: {error.message}"
    for place, schema in schemas(document, ""):
        try:
            OAS31Validator.check_schema(schema)
        except Exception as error:
            yield f"{place}: {error}"
    ids = []
    for path, item in document.get("paths", {}).items():
        for method, operation in item.items():
            if method not in METHODS:
                yield f"{path}: {method} is no method"
                continue
            ids.append(operation.get("operationId"))
            named = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
            if named != set(re.findall(r"{(\w+)}", path)):
                yield f"{method} {path}: path parameters differ from the path"
            if not any(status[0] in "23" for status in operation["responses"]):
                yield f"{method} {path}: no success"
    if None in ids or len(ids) != len(set(ids)):
        yield "operationId missing or used twice"
    if not ids:
        yield "no operations"


def main(files):
    if not files:
        print(__doc__, file=sys.stderr)
        return 64
    failed = False
    for name in files:
        with open(name, encoding="utf-8") as file:
            found = list(problems(json.load(file)))
        for problem in found:
            print(f"{name}: {problem}", file=sys.stderr)
        failed = failed or bool(found)
        if not found:
            print(f"{name}: valid")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
