"""The reference shows all of the description, and says in words what schemas say in keys."""

from typing import Any

import httpx2
import pytest

from bonafide.api.description.components import list_api_errors
from bonafide.api.openapi import build_openapi
from bonafide.docs_site.api_reference import describe_type, get_group, get_schema, load_reference
from bonafide.errors import NotFound
from tests.support.served_pages import ServedPage

pytestmark = pytest.mark.anyio


@pytest.mark.slow
async def test_it_holds_every_operation_with_its_aliases(reader: httpx2.AsyncClient) -> None:
    documents = [ServedPage((await reader.get(group.address)).text) for group in load_reference().groups]
    ids = {found for document in documents for found in document.select_texts("//main//h2/@id")}
    text = "\n".join(document.text for document in documents)
    overview = ServedPage((await reader.get("/docs")).text).text
    for path, methods in build_openapi()["paths"].items():
        assert path in text
        assert path in overview
        assert {operation["operationId"].removesuffix("Alias") for operation in methods.values()} <= ids


@pytest.mark.slow
async def test_it_holds_every_schema_and_error(reader: httpx2.AsyncClient) -> None:
    schemas = ServedPage((await reader.get("/docs/api/schemas")).text)
    assert {f"/docs/api/schemas/{name}" for name in build_openapi()["components"]["schemas"]} <= set(
        schemas.select_texts("//main//a/@href")
    )
    overview = ServedPage((await reader.get("/docs")).text).text
    assert [error.code for error in list_api_errors() if error.code not in overview] == []


def test_no_group_of_operations_is_empty() -> None:
    assert [group.name for group in load_reference().groups if not group.operations] == []


def test_what_the_description_does_not_have_is_not_found() -> None:
    for look, name in ((get_group, "nothing"), (get_schema, "Nothing")):
        with pytest.raises(NotFound):
            look(name)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string", "minLength": 1, "maxLength": 300}, "string, 1 to 300 characters"),
        ({"type": "number", "minimum": 0.7}, "number, at least 0.7"),
        ({"type": "array", "items": {"type": "integer", "maximum": 5}}, "list of integer, at most 5"),
        ({"type": "string", "minLength": 64, "maxLength": 64}, "string, 64 characters"),
        ({"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]}, "string (uuid) or null"),
        ({"$ref": "#/components/schemas/Match"}, '<a href="/docs/api/schemas/Match">Match</a>'),
        ({"type": "string", "enum": ["a", "<b>"]}, "<code>a</code>, <code>&lt;b&gt;</code>"),
        ({"const": "weak", "type": "string"}, "&#34;weak&#34;"),
        ({}, "any value"),
    ],
)
def test_a_schema_in_words(schema: dict[str, Any], words: str) -> None:
    assert str(describe_type(schema)) == words
