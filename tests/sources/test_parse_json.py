"""Objects out of a JSON document, one after the other: whole, or refused."""

import io
import json
from itertools import islice

import pytest

from bonafide.errors import ParseFailed
from bonafide.sources.formats.json_objects import CHUNK_CHARACTERS, MAX_OBJECT_CHARACTERS, read_objects


def read(text: str, key: str | None = None) -> list[object]:
    return list(read_objects(io.StringIO(text), "list.json", key))


def test_a_list_gives_its_objects() -> None:
    assert read('\ufeff [ {"a": 1} ,\n{"a": {"b": [1, "]"]}}\n] ') == [{"a": 1}, {"a": {"b": [1, "]"]}}]
    assert read("[]") == []


def test_a_list_under_a_key_gives_its_objects() -> None:
    assert read('{"Liste": [{"a": "é"}], "other": 1}', "Liste") == [{"a": "é"}]


def test_objects_may_lie_across_the_pieces_in_which_a_document_is_read() -> None:
    items = [{"number": number, "text": "x" * (number * 7919 % 5000)} for number in range(400)]
    text = json.dumps(items)
    assert len(text) > 3 * CHUNK_CHARACTERS
    assert read(text) == items
    assert read(json.dumps({"all": items}), "all") == items


def test_little_of_a_long_document_is_read_for_its_first_objects() -> None:
    text = io.StringIO(json.dumps([{"text": "x" * 1000}] * 5000))
    assert len(list(islice(read_objects(text, "list.json"), 3))) == 3
    assert text.tell() == CHUNK_CHARACTERS


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the document is truncated"),
        ("<html></html>", "not <"),
        ('{"error": "no"}', "not {"),
        ("[1, 2]", "is not an object"),
        ('[{"a": 1}', "the document is truncated"),
        ('[{"a": 1} {"a": 2}]', "not {"),
        ('[{"a": 1}, {"a": ', "truncated JSON"),
        ('[{"a" 1}]', "truncated JSON"),
        ('[{"a": ' + "[" * 100_000, "truncated JSON"),
        ('[{"a": "' + "x" * (MAX_OBJECT_CHARACTERS + CHUNK_CHARACTERS), "truncated JSON"),
    ],
    ids=["empty", "page", "object", "numbers", "no end", "no comma", "half an object", "no colon", "too deep", "too long"],
)
def test_what_is_no_list_of_objects_is_refused(text: str, told: str) -> None:
    with pytest.raises(ParseFailed, match=told) as refused:
        read(text)
    assert refused.value.message.startswith("list.json: ")
    assert len(refused.value.message) < 300


@pytest.mark.parametrize("text", ['[{"a": 1}]', '{"other": [{"a": 1}]}', '{"Liste": {"a": 1}}', '{"Liste"}', "{7: []}"])
def test_a_list_that_is_not_under_the_key_is_refused(text: str) -> None:
    with pytest.raises(ParseFailed):
        read(text, "Liste")
