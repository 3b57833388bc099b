"""The operations of a simplified description, as the templates of both languages need them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from clients.generator.description import JSON_TYPE, Json

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_VERB = re.compile(r"^(list|read)(?=[A-Z])")
_CURSOR, _OFFSET = "cursor", "offset"
_SEVERAL = frozenset({"types"})
"""Query parameters with several values between commas."""
_RESPOND_ASYNC = "Prefer"
_IDEMPOTENCY_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a path or query. `name` is that of the API."""

    name: str
    schema: Json
    is_required: bool
    description: str

    @property
    def snake_name(self) -> str:
        """The name in Python."""
        return to_snake_case(self.name)

    @property
    def has_several_values(self) -> bool:
        """Whether it has several values between commas."""
        return self.name in _SEVERAL

    @property
    def reference(self) -> str | None:
        """The schema that it refers to, or None."""
        return _get_name(self.schema) if "$ref" in self.schema else None


@dataclass(frozen=True, slots=True)
class Paging:
    """How the pages of a list are read, and where their items are."""

    style: str
    """`cursor` or `offset`."""
    items: str
    """The property of a page with the items."""
    item: str
    """The schema of an item."""

    @property
    def snake_items(self) -> str:
        """The property's name in Python."""
        return to_snake_case(self.items)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API."""

    operation_id: str
    tag: str
    method: str
    path: str
    summary: str
    description: str
    path_parameters: tuple[Parameter, ...]
    query_parameters: tuple[Parameter, ...]
    body: str | None
    """The schema of the JSON body, or None."""
    has_idempotency_key: bool
    can_respond_async: bool
    answers: tuple[str, ...]
    """The schemas of the answer, empty for a file or for nothing."""
    is_file: bool
    paging: Paging | None

    @property
    def snake_name(self) -> str:
        """The method's name in Python."""
        return to_snake_case(self.operation_id)

    @property
    def iterator_id(self) -> str:
        """The name of the method that reads all pages: `iterateBusinesses` for `listBusinesses`."""
        return _VERB.sub("iterate", self.operation_id)

    @property
    def snake_iterator(self) -> str:
        """The same in Python."""
        return to_snake_case(self.iterator_id)

    @property
    def filters(self) -> tuple[Parameter, ...]:
        """The query parameters that do not select a page."""
        return tuple(parameter for parameter in self.query_parameters if parameter.name not in {_CURSOR, _OFFSET, "limit"})


def to_snake_case(name: str) -> str:
    """`listWebhookEndpoints` as `list_webhook_endpoints`."""
    return _BOUNDARY.sub("_", name).lower()


def list_operations(description: Json) -> list[Operation]:
    """Every operation, in the order of the description."""
    schemas = description["components"]["schemas"]
    return [
        _build_operation(operation, method, path, schemas)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]


def group_by_tag(operations: list[Operation], description: Json) -> Iterator[tuple[str, list[Operation]]]:
    """Each tag with its operations, in the order of the description's tags."""
    order = {tag["name"]: number for number, tag in enumerate(description["tags"])}
    ordered = sorted(operations, key=lambda operation: order.get(operation.tag, len(order)))
    for tag, group in groupby(ordered, key=lambda operation: operation.tag):
        yield tag, list(group)


def list_imports(operations: list[Operation]) -> list[str]:
    """The schemas that the operations name."""
    names: set[str] = set()
    for operation in operations:
        names.update(operation.answers)
        if operation.body is not None:
            names.add(operation.body)
        if operation.paging is not None:
            names.add(operation.paging.item)
        names.update(parameter.reference for parameter in operation.query_parameters if parameter.reference is not None)
    return sorted(names)


def name_tag(tag: str) -> str:
    """A tag as a name in snake case: `examiners_packs` for “Examiner’s packs”."""
    return "_".join(re.findall(r"[a-z0-9]+", tag.lower().replace("’", "")))


def _build_operation(operation: Json, method: str, path: str, schemas: Json) -> Operation:
    headers = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "header"}
    query = _list_parameters(operation, "query")
    answers = tuple(dict.fromkeys(name for response in operation["responses"].values() for name in _list_schemas(response)))
    return Operation(
        operation_id=operation["operationId"],
        tag=operation["tags"][0],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation["description"],
        path_parameters=_list_parameters(operation, "path"),
        query_parameters=query,
        body=_find_body(operation),
        has_idempotency_key=_IDEMPOTENCY_KEY in headers,
        can_respond_async=_RESPOND_ASYNC in headers,
        answers=answers,
        is_file=not answers and any(response["content"] for response in operation["responses"].values()),
        paging=_find_paging({parameter.name for parameter in query}, answers, schemas),
    )


def _list_parameters(operation: Json, place: str) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(parameter["name"], parameter["schema"], parameter.get("required", False), parameter.get("description", ""))
        for parameter in operation["parameters"]
        if parameter["in"] == place
    )


def _find_body(operation: Json) -> str | None:
    if "requestBody" not in operation:
        return None
    return _get_name(operation["requestBody"]["content"][JSON_TYPE]["schema"])


def _list_schemas(response: Json) -> list[str]:
    if JSON_TYPE not in response["content"]:
        return []
    schema = response["content"][JSON_TYPE]["schema"]
    return [_get_name(choice) for choice in schema.get("anyOf", [schema])]


def _find_paging(query: set[str], answers: tuple[str, ...], schemas: Json) -> Paging | None:
    style = next((name for name in (_CURSOR, _OFFSET) if name in query), None)
    if style is None or len(answers) != 1:
        return None
    lists = [(name, schema["items"]) for name, schema in schemas[answers[0]]["properties"].items() if schema.get("type") == "array"]
    (items, schema), *others = lists
    if others:
        raise ValueError(f"{answers[0]} has more than one list: which one is paged?")
    return Paging(style, items, _get_name(schema))


def _get_name(schema: Json) -> str:
    reference: str = schema["$ref"]
    return reference.rsplit("/", 1)[1]
