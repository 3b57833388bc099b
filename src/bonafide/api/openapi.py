"""The API's description in OpenAPI 3.1, made from the routes and the models; `python -m bonafide.api.openapi` prints it.

The committed `docs/openapi.json` equals it (a test). It describes `/v1` only: what is beside it is for people and operators.
"""

import json
import sys
from functools import cache
from typing import Any

from fastapi.openapi.utils import get_openapi

from bonafide import __version__
from bonafide.api.description.components import HEADERS, PARAMETERS, SECURITY_SCHEMES, build_error_examples, load_examples
from bonafide.api.description.operation import SCHEMAS
from bonafide.api.endpoints import businesses, coverage, prefill, reports, sanctions, searches, settings, verifications
from bonafide.api.protocol.responses import ErrorBody
from bonafide.api.routes import ROUTERS

DESCRIPTION = """Find out whether a Canadian business is who it says it is.

Every request needs an API key, as `Authorization: Bearer <key>` or `X-API-Key: <key>`. Bodies are JSON in UTF-8, at most 1 MiB.
Unknown fields and unknown query parameters are refused, so that a misspelt flag can't silently skip a check.

Every answer carries `X-Request-Id`, `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. Errors are
`{error, code, requestId}`, and `details` where fields were refused. Changes are announced at `/changelog` and `/changelog.rss`."""
TAGS = [
    {
        "name": searches.TAG,
        "description": "Look a business up in registers, regulators' lists and sanctions lists; results are stored.",
    },
    {"name": verifications.TAG, "description": "Compare what you were told of a business with what its register states."},
    {"name": sanctions.TAG, "description": "Screen a name against sanctions lists, and remember which hits are somebody else."},
    {
        "name": businesses.TAG,
        "description": "What you keep of your businesses: matched when sent, listed as a change feed, with a trail of changes.",
    },
    {"name": settings.TAG, "description": "What searches and verifications do where a request does not say."},
    {"name": reports.TAG, "description": "A register's profile of one business, with its PDF and the raw answers behind it."},
    {"name": reports.PDF_TAG, "description": "The report of a search or of a verification in print, in English or French."},
    {"name": coverage.TAG, "description": "What can be looked at, how old it is, and what nobody can look at."},
    {"name": prefill.TAG, "description": "Businesses offered while a person types."},
]


def build_openapi() -> dict[str, Any]:
    """The description as a JSON value."""
    document = get_openapi(
        title="bonafide",
        version=__version__,
        description=DESCRIPTION,
        routes=[route for router in ROUTERS for route in router.routes],
        tags=TAGS,
        servers=[{"url": "/", "description": "This installation"}],
    )
    schemas = {name: _allow_extra_fields(schema) for name, schema in document["components"]["schemas"].items()}
    schemas.update(_flatten_definitions(_allow_extra_fields(ErrorBody.model_json_schema(ref_template=SCHEMAS))))
    for operations in document["paths"].values():
        for operation in operations.values():
            schemas.update(_extract_body_schemas(operation))
    document["components"] = {
        "securitySchemes": SECURITY_SCHEMES,
        "headers": HEADERS,
        "parameters": PARAMETERS,
        "examples": {**build_error_examples(), **load_examples()},
        "schemas": {name: _strip_titles(schemas[name]) for name in sorted(schemas)},
    }
    return document


@cache
def render_openapi_json() -> str:
    """The description as text, the same as in the committed file."""
    return json.dumps(build_openapi(), indent=2, ensure_ascii=False) + "\n"


def _extract_body_schemas(operation: dict[str, Any]) -> dict[str, Any]:
    """Move the schema of an operation's body to the shared ones, which are returned; a reference stays behind."""
    if "requestBody" not in operation:
        return {}
    media = operation["requestBody"]["content"]["application/json"]
    schema = media["schema"]
    media["schema"] = {"$ref": SCHEMAS.format(model=schema["title"])}
    return _flatten_definitions(schema)


def _flatten_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema and those that it brings with it, by their names."""
    definitions: dict[str, Any] = schema.pop("$defs", {})
    return {**definitions, schema["title"]: schema}


def _allow_extra_fields(schema: dict[str, Any]) -> dict[str, Any]:
    """An answer's schema without its ban on other fields: a field that is added later must not break a client."""
    inner = {name: _allow_extra_fields(definition) for name, definition in schema.get("$defs", {}).items()}
    kept = {key: value for key, value in schema.items() if (key, value) != ("additionalProperties", False)}
    return {**kept, "$defs": inner} if len(inner) > 0 else kept


def _strip_titles(schema: Any) -> Any:
    """Titles that only repeat a field's name are left out."""
    if isinstance(schema, list):
        return [_strip_titles(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _strip_titles(value) for key, value in schema.items() if key != "title" or not isinstance(value, str)}


if __name__ == "__main__":
    sys.stdout.write(render_openapi_json())
