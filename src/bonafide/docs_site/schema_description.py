"""Describe JSON schemas in words, for the tables of the reference."""

from typing import Any

from markupsafe import Markup, escape

SCHEMAS = "/docs/api/schemas"
_BOUNDS = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))
"""Lowest, highest, and what is counted."""


def describe_type(schema: dict[str, Any]) -> Markup:
    """What a value may be, with links to the schemas that it refers to."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return Markup('<a href="{}/{}">{}</a>').format(SCHEMAS, name, name)
    if "anyOf" in schema:
        return Markup(" or ").join(describe_type(choice) for choice in schema["anyOf"])
    if "enum" in schema:
        return Markup(", ").join(Markup("<code>{}</code>").format(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return Markup("list of ") + describe_type(schema.get("items", {}))
    return escape(", ".join([_describe_scalar(schema), *_describe_bounds(schema)]))


def _describe_scalar(schema: dict[str, Any]) -> str:
    name = str(schema.get("type", "any value"))
    if "const" in schema:
        return f'"{schema["const"]}"'
    return f"{name} ({schema['format']})" if "format" in schema else name


def _describe_bounds(schema: dict[str, Any]) -> list[str]:
    return [words for low, high, unit in _BOUNDS if (words := _describe_bound(schema.get(low), schema.get(high), unit)) != ""]


def _describe_bound(low: float | None, high: float | None, unit: str) -> str:
    if low is not None and high is not None:
        return f"{low} to {high}{unit}" if low != high else f"{low}{unit}"
    if high is not None:
        return f"at most {high}{unit}"
    return f"at least {low}{unit}" if low is not None else ""
