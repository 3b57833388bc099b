"""JSON schemas of the documents of Reconciliation Service API 0.2, written after the text of its specification.

They are stricter than the specification where this service promises more: unknown fields are refused, but for its two additions to
a result (`notSearched` and `warnings`).
"""

from typing import Any

from jsonschema_rs import validator_for

_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_ADDRESS: dict[str, Any] = {"type": "string", "pattern": "^(https?|urn):"}


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _map(values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


_NAMED = _object({"id": _TEXT, "name": _TEXT}, description=_TEXT)
_TYPE = _object({"id": _TEXT, "name": _TEXT}, description=_TEXT, broader=_array(_object({"id": _TEXT, "name": _TEXT})))
_WITH_ID: dict[str, Any] = {"type": "string", "pattern": r"\{\{id\}\}"}
_SERVICE = _object({"service_url": _ADDRESS, "service_path": {"type": "string", "pattern": "^/"}})
_CANDIDATE = _object(
    {
        "id": _TEXT,
        "name": _TEXT,
        "score": {"type": "number", "minimum": 0, "maximum": 100},
        "match": {"type": "boolean"},
        "type": _array(_object({"id": _TEXT, "name": _TEXT})),
    },
    description=_TEXT,
    features=_array(_object({"id": _TEXT, "value": {"type": ["number", "boolean"]}})),
)
_DAY: dict[str, Any] = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
_VALUE = {"oneOf": [_object({"str": _TEXT}), _object({"date": _DAY}), _object({"id": _TEXT, "name": _TEXT})]}

SCHEMAS: dict[str, dict[str, Any]] = {
    "manifest": _object(
        {
            "versions": {"type": "array", "contains": {"const": "0.2"}},
            "name": _TEXT,
            "identifierSpace": _ADDRESS,
            "schemaSpace": _ADDRESS,
        },
        documentation=_ADDRESS,
        defaultTypes=_array(_TYPE),
        view=_object({"url": _WITH_ID}),
        preview=_object({"url": _WITH_ID, "width": {"type": "integer"}, "height": {"type": "integer"}}),
        suggest=_object({}, entity=_SERVICE, property=_SERVICE, type=_SERVICE),
        extend=_object({}, propose_properties=_SERVICE, property_settings={"type": "array", "maxItems": 0}),
        batchSize={"type": "integer", "minimum": 1},
        authentication=_object({"type": {"const": "apiKey"}, "name": _TEXT, "in": {"enum": ["header", "query"]}}),
    ),
    "results": _map(
        _object(
            {"result": _array(_CANDIDATE)},
            notSearched=_array(_object({"jurisdiction": _TEXT, "reason": _TEXT})),
            warnings=_array(_TEXT),
        )
    ),
    "entities": _object({"result": _array(_object({"id": _TEXT, "name": _TEXT}, description=_TEXT, notable=_array(_TYPE)))}),
    "properties": _object({"result": _array(_NAMED)}),
    "types": _object({"result": _array(_TYPE)}),
    "proposals": _object({"properties": _array(_NAMED)}, type={"type": "string"}, limit={"type": "integer"}),
    "values": _object({"meta": _array(_NAMED), "rows": _map(_map(_array(_VALUE)))}),
}


def validate(kind: str, document: Any) -> None:
    """Raise `ValidationError` if the document violates the schema of its kind."""
    validator_for(SCHEMAS[kind]).validate(document)
