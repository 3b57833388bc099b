"""The API description arranged for readers: operations by tag, errors by status, schemas."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from bonafide.api.openapi import build_openapi
from bonafide.docs_site.changelog import read_deprecations
from bonafide.docs_site.request_samples import RequestSample, build_sample
from bonafide.errors import NotFound
from bonafide.i18n.message import Message

SCHEMAS = "/docs/api/schemas"
_BOUNDS = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))
"""The keywords of the lower and the upper bound, and the unit."""
Json = dict[str, Any]
_JSON = "application/json"
_ALIAS = "Alias"
_FIRST_ERROR = 400


def describe_type(schema: dict[str, Any]) -> Markup:
    """The type of a value, with links to the schemas that it refers to."""
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


@dataclass(frozen=True, slots=True)
class DocumentedResponse:
    """A successful response: its status, its schema or media types, and examples as text."""

    status: str
    meaning: str
    schema: Json | None
    media_types: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentedError:
    """An error: its status, its code and an example of its message."""

    status: str
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class DocumentedOperation:
    """One operation under its first path; `aliases` are its other methods and paths."""

    operation_id: str
    method: str
    path: str
    aliases: tuple[tuple[str, str], ...]
    summary: str
    description: str
    scope: str
    further_scopes: Mapping[str, str]
    parameters: tuple[Json, ...]
    body: Json | None
    answers: tuple[DocumentedResponse, ...]
    failures: tuple[DocumentedError, ...]
    sample: RequestSample


@dataclass(frozen=True, slots=True)
class OperationGroup:
    """The operations of one tag, on one page."""

    name: str
    description: str
    operations: tuple[DocumentedOperation, ...]

    @property
    def slug(self) -> str:
        """The last part of the page's path."""
        return self.name.lower().replace(" ", "-")

    @property
    def address(self) -> str:
        """The path of the page."""
        return f"/docs/api/{self.slug}"


@dataclass(frozen=True, slots=True)
class ApiReference:
    """The whole API description."""

    title: str
    version: str
    introduction: str
    groups: tuple[OperationGroup, ...]
    headers: Json
    failures: tuple[DocumentedError, ...]
    schemas: Json


@cache
def load_reference() -> ApiReference:
    """The reference of this release."""
    document = build_openapi(read_deprecations())
    components = document["components"]
    operations = _group_by_tag(document, components)
    groups = (OperationGroup(tag["name"], tag["description"], tuple(operations.get(tag["name"], ()))) for tag in document["tags"])
    errors = (example["value"] for example in components["examples"].values() if "code" in example["value"])
    return ApiReference(
        title=document["info"]["title"],
        version=document["info"]["version"],
        introduction=document["info"]["description"],
        groups=tuple(groups),
        headers=components["headers"],
        failures=tuple(DocumentedError("", error["code"], error["error"]) for error in errors),
        schemas=components["schemas"],
    )


def get_group(slug: str) -> OperationGroup:
    """The group of a page. Raises `NotFound`."""
    for group in load_reference().groups:
        if group.slug == slug:
            return group
    raise NotFound(Message("We couldn’t find this group of operations."))


def get_schema(name: str) -> Json:
    """The schema of this name. Raises `NotFound`."""
    found: Json | None = load_reference().schemas.get(name)
    if found is None:
        raise NotFound(Message("We couldn’t find this schema."))
    return found


def _group_by_tag(document: Json, components: Json) -> dict[str, list[DocumentedOperation]]:
    found: dict[str, list[DocumentedOperation]] = {}
    aliases = _find_aliases(document)
    for method, path, operation in _list_operations(document):
        if not operation["operationId"].endswith(_ALIAS):
            others = aliases.get(operation["operationId"], ())
            found.setdefault(operation["tags"][0], []).append(_build_operation(method, path, operation, tuple(others), components))
    return found


def _list_operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _find_aliases(document: Json) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for method, path, operation in _list_operations(document):
        if operation["operationId"].endswith(_ALIAS):
            found.setdefault(operation["operationId"].removesuffix(_ALIAS), []).append((method, path))
    return found


def _build_operation(
    method: str, path: str, operation: Json, aliases: tuple[tuple[str, str], ...], components: Json
) -> DocumentedOperation:
    responses = operation["responses"]
    body = operation["requestBody"]["content"][_JSON] if "requestBody" in operation else None
    example = components["examples"][next(iter(body["examples"]))]["value"] if body is not None else None
    return DocumentedOperation(
        operation_id=operation["operationId"],
        method=method,
        path=path,
        aliases=aliases,
        summary=operation["summary"],
        description=operation["description"],
        scope=operation["x-scope"],
        further_scopes=operation.get("x-further-scopes", {}),
        parameters=tuple(_resolve_parameter(parameter, components) for parameter in operation["parameters"]),
        body=body["schema"] if body is not None else None,
        answers=tuple(
            _build_response(status, answer, components) for status, answer in responses.items() if int(status) < _FIRST_ERROR
        ),
        failures=tuple(failure for status, answer in responses.items() for failure in _list_errors(status, answer, components)),
        sample=build_sample(operation, method, path, example),
    )


def _resolve_parameter(parameter: Json, components: Json) -> Json:
    if "$ref" not in parameter:
        return parameter
    found: Json = components["parameters"][parameter["$ref"].rpartition("/")[2]]
    return found


def _build_response(status: str, answer: Json, components: Json) -> DocumentedResponse:
    content = answer.get("content", {})
    media = content.get(_JSON, {})
    return DocumentedResponse(
        status=status,
        meaning=answer["description"],
        schema=media.get("schema"),
        media_types=tuple(content),
        examples=tuple(_format_json(components["examples"][name]["value"]) for name in media.get("examples", {})),
    )


def _list_errors(status: str, answer: Json, components: Json) -> Iterator[DocumentedError]:
    if int(status) >= _FIRST_ERROR:
        for name in answer["content"][_JSON]["examples"]:
            error = components["examples"][name]["value"]
            yield DocumentedError(status, error["code"], error["error"])


def _format_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
