"""The API's description as a reader meets it: operations by tag with their aliases folded in, errors by status, schemas by name.

What is not in the description is not in the reference. How a page looks is the templates' business.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from bonafide.api.openapi import described
from bonafide.errors import NotFound
from bonafide.pages.samples import Sample, sample_of

Json = dict[str, Any]
_JSON = "application/json"
_ALIAS = "Alias"
_FIRST_ERROR = 400


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer: its status, its schema or media types, and examples as text."""

    status: str
    meaning: str
    schema: Json | None
    media_types: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A status of failure and what it can be; each code with an example of its sentence."""

    status: str
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation under its first path; `aliases` are others that do the same, as method and path."""

    operation_id: str
    method: str
    path: str
    aliases: tuple[tuple[str, str], ...]
    summary: str
    description: str
    scope: str
    parameters: tuple[Json, ...]
    body: Json | None
    answers: tuple[Answer, ...]
    failures: tuple[Failure, ...]
    sample: Sample


@dataclass(frozen=True, slots=True)
class Group:
    """The operations of one tag, on one page."""

    name: str
    description: str
    operations: tuple[Operation, ...]

    @property
    def slug(self) -> str:
        """Its place in the address."""
        return self.name.lower().replace(" ", "-")

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"/docs/api/{self.slug}"


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole description."""

    title: str
    version: str
    introduction: str
    groups: tuple[Group, ...]
    headers: Json
    failures: tuple[Failure, ...]
    schemas: Json


@cache
def reference() -> Reference:
    """What this release describes."""
    document = described()
    components = document["components"]
    operations = _by_tag(document, components)
    groups = (Group(tag["name"], tag["description"], tuple(operations.get(tag["name"], ()))) for tag in document["tags"])
    errors = (example["value"] for example in components["examples"].values() if "code" in example["value"])
    return Reference(
        title=document["info"]["title"],
        version=document["info"]["version"],
        introduction=document["info"]["description"],
        groups=tuple(groups),
        headers=components["headers"],
        failures=tuple(Failure("", error["code"], error["error"]) for error in errors),
        schemas=components["schemas"],
    )


def group_of(slug: str) -> Group:
    """The group with this place in the address. Raises `NotFound`."""
    for group in reference().groups:
        if group.slug == slug:
            return group
    raise NotFound("The API has no such group of operations.")


def schema_of(name: str) -> Json:
    """The schema of this name. Raises `NotFound`."""
    found: Json | None = reference().schemas.get(name)
    if found is None:
        raise NotFound("The API has no schema of this name.")
    return found


def _by_tag(document: Json, components: Json) -> dict[str, list[Operation]]:
    found: dict[str, list[Operation]] = {}
    aliases = _aliases(document)
    for method, path, operation in _operations(document):
        if not operation["operationId"].endswith(_ALIAS):
            others = aliases.get(operation["operationId"], ())
            found.setdefault(operation["tags"][0], []).append(_operation(method, path, operation, tuple(others), components))
    return found


def _operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _aliases(document: Json) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for method, path, operation in _operations(document):
        if operation["operationId"].endswith(_ALIAS):
            found.setdefault(operation["operationId"].removesuffix(_ALIAS), []).append((method, path))
    return found


def _operation(method: str, path: str, operation: Json, aliases: tuple[tuple[str, str], ...], components: Json) -> Operation:
    responses = operation["responses"]
    body = operation["requestBody"]["content"][_JSON] if "requestBody" in operation else None
    example = components["examples"][next(iter(body["examples"]))]["value"] if body is not None else None
    return Operation(
        operation_id=operation["operationId"],
        method=method,
        path=path,
        aliases=aliases,
        summary=operation["summary"],
        description=operation["description"],
        scope=operation["x-scope"],
        parameters=tuple(_parameter(parameter, components) for parameter in operation["parameters"]),
        body=body["schema"] if body is not None else None,
        answers=tuple(_answer(status, answer, components) for status, answer in responses.items() if int(status) < _FIRST_ERROR),
        failures=tuple(failure for status, answer in responses.items() for failure in _failures(status, answer, components)),
        sample=sample_of(operation, method, path, example),
    )


def _parameter(parameter: Json, components: Json) -> Json:
    if "$ref" not in parameter:
        return parameter
    found: Json = components["parameters"][parameter["$ref"].rpartition("/")[2]]
    return found


def _answer(status: str, answer: Json, components: Json) -> Answer:
    content = answer.get("content", {})
    media = content.get(_JSON, {})
    return Answer(
        status=status,
        meaning=answer["description"],
        schema=media.get("schema"),
        media_types=tuple(content),
        examples=tuple(_text(components["examples"][name]["value"]) for name in media.get("examples", {})),
    )


def _failures(status: str, answer: Json, components: Json) -> Iterator[Failure]:
    if int(status) >= _FIRST_ERROR:
        for name in answer["content"][_JSON]["examples"]:
            error = components["examples"][name]["value"]
            yield Failure(status, error["code"], error["error"])


def _text(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
