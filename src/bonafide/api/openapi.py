"""The API's description in OpenAPI 3.1, made from the routes and the models; `python -m bonafide.api.openapi` prints it.

A test compares it with the committed `docs/openapi.json`. It describes `/v1` only, not the console or the operators' endpoints.
"""

import json
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

from fastapi.openapi.utils import get_openapi

from bonafide import __version__
from bonafide.api.batches.endpoints import TAG as BATCHES_TAG
from bonafide.api.description.components import HEADERS, PARAMETERS, SECURITY_SCHEMES, build_error_examples, load_examples
from bonafide.api.description.deprecations import Deprecation, mark_deprecated
from bonafide.api.description.operation import SCHEMAS
from bonafide.api.description.property_details import complete_properties
from bonafide.api.endpoints import (
    businesses,
    cases,
    coverage,
    discrepancies,
    documents,
    events,
    manual_checks,
    monitoring,
    ownership,
    packs,
    prefill,
    reports,
    risk,
    sanctions,
    searches,
    settings,
    verifications,
    webhooks,
)
from bonafide.api.protocol.responses import ErrorBody
from bonafide.api.routes import ROUTERS

DESCRIPTION = """Verify Canadian businesses: search registers, screen sanctions lists and compare customer data with registers.

Every request needs an API key, as `Authorization: Bearer <key>` or `X-API-Key: <key>`. Bodies are JSON in UTF-8, at most 1 MiB.
Unknown fields and query parameters are rejected, so a misspelled flag cannot silently skip a check.

Every response has the headers `X-Request-Id`, `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. Errors are
`{error, code, requestId}`, with `details` for rejected fields. Messages are in English, or in French with `Accept-Language: fr`.
Changes are announced at `/changelog` and `/changelog.rss`."""
TAGS = [
    {
        "name": searches.TAG,
        "description": "Search registries, regulators and sanctions lists for a business. Results are stored.",
    },
    {"name": verifications.TAG, "description": "Compare customer-supplied business data with the registry's data."},
    {
        "name": sanctions.TAG,
        "description": "Screen names against sanctions lists, read stored screenings, and dismiss false positives.",
    },
    {
        "name": BATCHES_TAG,
        "description": "Search, verify or screen the rows of a file against loaded data. Only the results of the batch are stored.",
    },
    {
        "name": businesses.TAG,
        "description": "Store your own business records, list them as a change feed, and read their audit log.",
    },
    {
        "name": ownership.TAG,
        "description": "State who owns and controls a stored business, and read its ultimate owners.",
    },
    {
        "name": discrepancies.TAG,
        "description": "Compare declared owners with the register of individuals with significant control, and follow each"
        " discrepancy until it is resolved or reported.",
    },
    {"name": documents.TAG, "description": "Keep evidence (PDF, PNG, JPEG) with a business record."},
    {
        "name": monitoring.TAG,
        "description": "When monitored records were evaluated, against what, and what holds evaluations up.",
    },
    {
        "name": cases.TAG,
        "description": "What needs a person, gathered in one case for each business: assign it, document it and decide.",
    },
    {
        "name": manual_checks.TAG,
        "description": "Registers that no program can query: a person looks at them and records what they state.",
    },
    {"name": events.TAG, "description": "What has changed, as a feed, and the types of events with their schemas."},
    {
        "name": webhooks.TAG,
        "description": "Have events delivered to your service, signed as Standard Webhooks defines, and follow their deliveries.",
    },
    {"name": risk.TAG, "description": "Rate results and business records by rules of your own, and try rules out first."},
    {"name": settings.TAG, "description": "Defaults of searches and verifications, match selection and branding."},
    {"name": reports.TAG, "description": "A registry's profile of one business, with its PDF and the raw responses behind it."},
    {"name": reports.PDF_TAG, "description": "PDF reports of searches, verifications and screenings, in English or French."},
    {
        "name": packs.TAG,
        "description": "Everything that is stored about a business or a period, as a PDF and a ZIP that anybody can verify.",
    },
    {"name": coverage.TAG, "description": "Available sources, the age of their data, and sources that cannot be queried."},
    {"name": prefill.TAG, "description": "Business suggestions while a name is typed."},
]


def build_openapi(deprecations: Iterable[Deprecation] = ()) -> dict[str, Any]:
    """The description as a JSON value. What is deprecated is marked."""
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
    complete_properties(document)
    mark_deprecated(document, deprecations)
    return document


@cache
def render_openapi_json(deprecations: Iterable[Deprecation] = ()) -> str:
    """The description as text. Without deprecations it is the committed file."""
    return json.dumps(build_openapi(deprecations), indent=2, ensure_ascii=False) + "\n"


def _extract_body_schemas(operation: dict[str, Any]) -> dict[str, Any]:
    """Replace the schema of an operation's body by a reference; returns the schemas for the components."""
    if "requestBody" not in operation:
        return {}
    media = operation["requestBody"]["content"]["application/json"]
    schema = media["schema"]
    media["schema"] = {"$ref": SCHEMAS.format(model=schema["title"])}
    return _flatten_definitions(schema)


def _flatten_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema and its definitions, by name."""
    definitions: dict[str, Any] = schema.pop("$defs", {})
    return {**definitions, schema["title"]: schema}


def _allow_extra_fields(schema: dict[str, Any]) -> dict[str, Any]:
    """A response's schema without its ban on other fields: a field that is added later must not break a client."""
    inner = {name: _allow_extra_fields(definition) for name, definition in schema.get("$defs", {}).items()}
    kept = {key: value for key, value in schema.items() if (key, value) != ("additionalProperties", False)}
    return {**kept, "$defs": inner} if len(inner) > 0 else kept


def _strip_titles(schema: Any) -> Any:
    """Remove titles, which only repeat field names."""
    if isinstance(schema, list):
        return [_strip_titles(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _strip_titles(value) for key, value in schema.items() if key != "title" or not isinstance(value, str)}


if __name__ == "__main__":
    sys.stdout.write(render_openapi_json())
