"""The committed clients are those of the committed description: every operation, every schema, every example."""

import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from bonafide_client import AsyncBonafideClient, BonafideClient, models, version
from bonafide_client.json_codec import Model, decode_answer

from clients.generator.description import JSON_TYPE, compute_digest, simplify_description
from clients.generator.operations import Operation, list_operations
from tests.support.paths import ROOT

DESCRIPTION = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))
SIMPLIFIED = simplify_description(DESCRIPTION)
OPERATIONS = list_operations(SIMPLIFIED)
TYPESCRIPT = ROOT / "clients" / "typescript"
METHODS = (TYPESCRIPT / "src" / "operations.gen.ts").read_text("utf-8")
TYPES = (TYPESCRIPT / "src" / "types.gen.ts").read_text("utf-8")
PARAMETER_NAME = re.compile(r"[(,]\s*(\w+)\??:")


def test_the_clients_were_generated_from_the_committed_description() -> None:
    digest = compute_digest(SIMPLIFIED)
    assert digest == version.DESCRIPTION_SHA256, "run make clients"
    assert f'DESCRIPTION_SHA256 = "{digest}"' in (TYPESCRIPT / "src" / "version.gen.ts").read_text("utf-8"), "run make clients"


def test_the_clients_have_the_version_of_the_api() -> None:
    package = json.loads((TYPESCRIPT / "package.json").read_text("utf-8"))
    locked = json.loads((TYPESCRIPT / "package-lock.json").read_text("utf-8"))
    versions = {version.VERSION, package["version"], locked["version"], locked["packages"][""]["version"]}
    assert versions == {DESCRIPTION["info"]["version"]}


@pytest.mark.parametrize("client", [BonafideClient, AsyncBonafideClient])
def test_every_operation_is_a_method_in_python(client: type[Any]) -> None:
    for operation in OPERATIONS:
        method = getattr(client, operation.snake_name)
        parameters = list(inspect.signature(method).parameters)[1:]
        assert parameters == list(expected_parameters(operation)), operation.operation_id
        assert inspect.iscoroutinefunction(method) is (client is AsyncBonafideClient)
        if operation.paging is not None:
            assert callable(getattr(client, operation.snake_iterator))


def expected_parameters(operation: Operation) -> Iterator[str]:
    yield from (parameter.snake_name for parameter in operation.path_parameters)
    if operation.body is not None:
        yield "body"
    yield from (parameter.snake_name for parameter in operation.query_parameters)
    if operation.can_respond_async:
        yield "respond_async"
    if operation.has_idempotency_key:
        yield "idempotency_key"


def test_every_operation_is_a_method_in_typescript() -> None:
    for operation in OPERATIONS:
        found = re.search(rf"^  {operation.operation_id}\(.*?^  }}", METHODS, re.MULTILINE | re.DOTALL)
        assert found is not None, operation.operation_id
        signature = found[0].partition("Promise<")[0]
        names = PARAMETER_NAME.findall(re.sub(r"\{[^{}]*\}", "", signature))
        expected = [parameter.name for parameter in operation.path_parameters]
        expected += ["body"] * (operation.body is not None) + ["query"] * bool(operation.query_parameters)
        assert names == expected + ["options"] * operation.has_idempotency_key, operation.operation_id
        assert f'method: "{operation.method}"' in found[0]


def test_every_schema_has_all_its_properties() -> None:
    for name, schema in SIMPLIFIED["components"]["schemas"].items():
        if "properties" not in schema:
            continue
        model = getattr(models, name)
        names = {field.name for field in fields(model)} - {"extra_fields"}
        assert set(schema["properties"]) == {model.JSON_NAMES.get(name, to_camel_case(name)) for name in names}, name
        interface = re.search(rf"^export type {name} = \{{.*?^\}};", TYPES, re.MULTILINE | re.DOTALL)
        assert interface is not None, name
        properties = re.findall(r"^  (?:readonly )?['\"]?(\w+)['\"]?\??:", interface[0], re.MULTILINE)
        assert sorted(properties) == sorted(schema["properties"]), name


def to_camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def list_examples() -> Iterator[tuple[str, tuple[type[Model], ...], Any]]:
    """Each JSON example of the description, with the models that it may have."""
    for methods in SIMPLIFIED["paths"].values():
        for simplified in methods.values():
            operation = find_operation(simplified["operationId"])
            content = [response.get("content", {}) for status, response in operation["responses"].items() if status.startswith("2")]
            for described in [*content, operation.get("requestBody", {}).get("content", {})]:
                for name, example in described.get(JSON_TYPE, {}).get("examples", {}).items():
                    schema = described[JSON_TYPE]["schema"]
                    names = [choice["$ref"].rsplit("/", 1)[1] for choice in schema.get("anyOf", [schema])]
                    value = DESCRIPTION["components"]["examples"][example["$ref"].rsplit("/", 1)[1]]["value"]
                    yield f"{simplified['operationId']} {name}", tuple(getattr(models, each) for each in names), value


def find_operation(operation_id: str) -> Any:
    return next(
        operation
        for methods in DESCRIPTION["paths"].values()
        for operation in methods.values()
        if operation["operationId"] == operation_id
    )


def test_every_example_is_read_and_written_unchanged() -> None:
    examples = list(list_examples())
    assert len(examples) >= len(OPERATIONS)
    for name, types, value in examples:
        decoded = decode_answer(types, value)
        assert decoded.extra_fields == {}, name
        assert_part(value, decoded.to_dict(), name)


def assert_part(expected: Any, actual: Any, where: str) -> None:
    """Fields that an example omits have their defaults."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert_part(value, actual[name], f"{where}.{name}")
        assert [name for name, value in actual.items() if name not in expected and value] == [], where
    elif isinstance(expected, list):
        assert len(expected) == len(actual), where
        for number, value in enumerate(expected):
            assert_part(value, actual[number], f"{where}.{number}")
    else:
        assert expected == actual, where
