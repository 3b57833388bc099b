"""Deprecated operations and parameters, and their marks in the OpenAPI description."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

_COMPONENT = "#/components/"


@dataclass(frozen=True, slots=True)
class Deprecation:
    """An operation that is deprecated, or one parameter of it: of the query, or a field of the body."""

    method: str
    """In capitals."""
    path: str
    """As in the OpenAPI description, such as `/v1/events/{id}`."""
    parameter: str | None
    """None if the whole operation is deprecated."""
    deprecated_on: date
    sunset_on: date | None
    """From this date it may no longer work; None if no date is announced."""


def mark_deprecated(document: dict[str, Any], deprecations: Iterable[Deprecation]) -> None:
    """Add `deprecated: true` to the operations, parameters and fields of bodies; those that no longer exist are ignored.

    A field is marked in the schema of the body, which other operations may have too.
    """
    for deprecation in deprecations:
        operation = document["paths"].get(deprecation.path, {}).get(deprecation.method.lower())
        if operation is None:
            continue
        if deprecation.parameter is None:
            operation["deprecated"] = True
        else:
            _mark_parameter(document, operation, deprecation.parameter)


def _mark_parameter(document: dict[str, Any], operation: dict[str, Any], name: str) -> None:
    parameters = operation.get("parameters", [])
    for index, parameter in enumerate(parameters):
        described = _resolve(document, parameter)
        if described["name"] == name:
            parameters[index] = {**described, "deprecated": True}
    for content in operation.get("requestBody", {}).get("content", {}).values():
        fields = _resolve(document, content.get("schema", {})).get("properties", {})
        if name in fields:
            fields[name] = {**fields[name], "deprecated": True}


def _resolve(document: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """The component that a reference refers to; any other value as it is."""
    reference = value.get("$ref")
    if reference is None:
        return value
    kind, _, name = str(reference).removeprefix(_COMPONENT).partition("/")
    component: dict[str, Any] = document["components"][kind][name]
    return component
