"""Complete the schemas of the description: a sentence and an example for each property.

The sentence is the docstring below the attribute of the model. It is read from the source when the description is built, because
reading it with every import (`use_attribute_docstrings` of pydantic) delays the start of every command. The example is the first
value that the property has in the example documents; `Field(examples=…)` takes precedence.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from bonafide.model.base import Document

Json = dict[str, Any]
_REFERENCE = "#/components/schemas/"
_JSON = "application/json"


def complete_properties(document: Json) -> None:
    """Add the descriptions and the examples to the schemas of an OpenAPI document."""
    schemas, models = document["components"]["schemas"], {model.__name__: model for model in _list_models(Document)}
    examples = _collect_examples(document)
    owners = {name: _find_owners(models[name]) for name in schemas if name in models}
    inherited = {(owners[name][field], field): value for (name, field), value in reversed(examples.items()) if name in owners}
    for name, owned in owners.items():
        descriptions = _read_descriptions(models[name])
        for field, about in schemas[name]["properties"].items():
            if field in descriptions:
                about.setdefault("description", descriptions[field])
            example = examples.get((name, field), inherited.get((owned[field], field)))
            if example is not None:
                about.setdefault("examples", [example])


def _list_models(model: type[Document]) -> Iterator[type[Document]]:
    for child in model.__subclasses__():
        yield child
        yield from _list_models(child)


def _find_owners(model: type[Document]) -> dict[str, type]:
    """The class that declares each field, by wire name."""
    return {
        field.alias or name: next(kind for kind in model.__mro__ if name in inspect.get_annotations(kind))
        for name, field in model.model_fields.items()
    }


def _read_descriptions(model: type[Document]) -> dict[str, str]:
    """The docstrings of a model's fields, inherited ones included, by wire name."""
    found: dict[str, str] = {}
    for kind in reversed(model.__mro__):
        found.update(_parse_docstrings(kind.__module__).get(kind.__name__, {}))
    return {field.alias or name: found[name] for name, field in model.model_fields.items() if name in found}


@cache
def _parse_docstrings(module: str) -> Mapping[str, Mapping[str, str]]:
    """The docstrings below the attributes of each class of a module."""
    if not module.startswith("bonafide"):
        return {}
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    return {node.name: dict(_list_docstrings(node)) for node in body if isinstance(node, ast.ClassDef)}


def _list_docstrings(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for statement, following in zip(node.body, node.body[1:], strict=False):
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
        ):
            yield statement.target.id, " ".join(str(following.value.value).split())


# ------------------------------------------------------------------------------------------------------------ examples


def _collect_examples(document: Json) -> dict[tuple[str, str], Any]:
    """The first value of each property in the example documents, by schema and wire name. Objects have none of their own."""
    found: dict[tuple[str, str], Any] = {}
    for schema, value in _list_example_documents(document):
        for name, field, example in _list_values(schema, value, document["components"]["schemas"]):
            found.setdefault((name, field), example)
    return found


def _list_example_documents(document: Json) -> Iterator[tuple[Json, Any]]:
    components = document["components"]["examples"]
    for operations in document["paths"].values():
        for operation in operations.values():
            for part in (operation.get("requestBody", {}), *operation["responses"].values()):
                media = part.get("content", {}).get(_JSON, {})
                for name in media.get("examples", {}):
                    yield media["schema"], components[name]["value"]


def _list_values(schema: Json, value: Any, schemas: Json, owner: tuple[str, str] | None = None) -> Iterator[tuple[str, str, Any]]:
    """Every value that is no object, with the schema and the property that it belongs to."""
    if isinstance(value, dict):
        name = _find_object(schema, value, schemas)
        if name is not None:
            properties = schemas[name]["properties"]
            for field, inner in value.items():
                if field in properties:
                    yield from _list_values(properties[field], inner, schemas, (name, field))
            return
        values: Any = next(
            (choice["additionalProperties"] for choice in _list_choices(schema) if "additionalProperties" in choice), {}
        )
        for inner in value.values():
            if isinstance(values, dict):
                yield from _list_values(values, inner, schemas)
    if isinstance(value, list):
        items: Any = next((choice["items"] for choice in _list_choices(schema) if "items" in choice), {})
        for inner in value:
            yield from _list_values(items, inner, schemas)
    if owner is not None and value not in (None, [], {}) and not _holds_objects(schema, schemas):
        yield (*owner, value)


def _list_choices(schema: Json) -> list[Json]:
    choices: list[Json] = schema.get("anyOf", [schema])
    return choices


def list_object_names(schema: Json, schemas: Json) -> list[str]:
    """The schemas of objects that a value may be, directly, in a list or by key."""
    found: list[str] = []
    for choice in _list_choices(schema):
        inner = choice.get("items", choice.get("additionalProperties"))
        if isinstance(inner, dict):
            found += list_object_names(inner, schemas)
        name = choice.get("$ref", "").removeprefix(_REFERENCE)
        if "properties" in schemas.get(name, {}):
            found.append(name)
    return found


def _holds_objects(schema: Json, schemas: Json) -> bool:
    return len(list_object_names(schema, schemas)) > 0


def _find_object(schema: Json, value: Json, schemas: Json) -> str | None:
    """The schema of this object: of several choices the first that has all of its fields."""
    names = [choice.get("$ref", "").removeprefix(_REFERENCE) for choice in _list_choices(schema)]
    return next((name for name in names if value.keys() <= schemas.get(name, {}).get("properties", {}).keys()), None)
