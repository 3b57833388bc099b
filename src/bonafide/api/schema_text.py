"""JSON schemas in words: what a field may be, for the reference's tables. It validates nothing."""

from typing import Any

from bonafide.api.markup import Markup, joined, tag

_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
}


def kind(schema: dict[str, Any]) -> Markup:
    """What a value may be, with links to the schemas that it refers to."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return tag("a", name, href=f"#{name}")
    if "anyOf" in schema:
        return Markup(" or ".join(kind(choice) for choice in schema["anyOf"]))
    if "enum" in schema:
        return Markup(", ".join(tag("code", str(value)) for value in schema["enum"]))
    if schema.get("type") == "array":
        return joined("list of ", kind(schema.get("items", {})))
    return joined(", ".join([_type(schema), *_bounds(schema)]))


def _type(schema: dict[str, Any]) -> str:
    name = str(schema.get("type", "any value"))
    if "const" in schema:
        return f'"{schema["const"]}"'
    return f"{name} ({schema['format']})" if "format" in schema else name


def _bounds(schema: dict[str, Any]) -> list[str]:
    return [words.format(schema[bound]) for bound, words in _BOUNDS.items() if bound in schema]
