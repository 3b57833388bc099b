"""Breaks between two descriptions: one change for each rule, in the direction that breaks and in the one that does not."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bonafide.api.description.openapi_diff import compare_descriptions
from bonafide.api.description.schema_diff import BreakingChange
from bonafide.api.openapi import build_openapi
from bonafide.docs_site.changelog import ChangeCategory, read_changelog
from tests.support.api.generated_description import generated_description

DOCS = Path(__file__).parents[2] / "docs"
RELEASED = DOCS / "openapi-released.json"
JSON = "application/json"
Json = dict[str, Any]
Change = Callable[[Json], object]

SHOP: Json = {
    "paths": {
        "/v1/search": {
            "post": {
                "x-scope": "search:write",
                "security": [{"bearer": []}, {"apiKey": []}],
                "parameters": [
                    {"name": "limit", "in": "query", "required": False, "schema": {"type": "integer", "maximum": 50}},
                    {"$ref": "#/components/parameters/Prefer"},
                ],
                "requestBody": {"required": True, "content": {JSON: {"schema": {"$ref": "#/components/schemas/Request"}}}},
                "responses": {
                    "200": {
                        "headers": {"X-Request-Id": {"required": True, "schema": {"type": "string"}}},
                        "content": {JSON: {"schema": {"$ref": "#/components/schemas/Result"}}, "application/pdf": {}},
                    },
                    "404": {"content": {JSON: {"schema": {"type": "object"}}}},
                },
            }
        }
    },
    "components": {
        "parameters": {"Prefer": {"name": "Prefer", "in": "header", "schema": {"type": "string"}}},
        "schemas": {
            "Request": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "minLength": 1, "maxLength": 200},
                    "kind": {"enum": ["person", "business"], "type": "string"},
                    "website": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                },
            },
            "Result": {
                "type": "object",
                "required": ["id", "score", "matches"],
                "properties": {
                    "id": {"type": "string", "format": "uuid"},
                    "score": {"type": "number", "minimum": 0, "maximum": 1},
                    "status": {"$ref": "#/components/schemas/Status"},
                    "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "matches": {"type": "array", "items": {"$ref": "#/components/schemas/Match"}},
                    "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
                },
            },
            "Status": {"type": "string", "enum": ["active", "inactive"]},
            "Match": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "parent": {"$ref": "#/components/schemas/Match"}},
            },
        },
    },
}


def operation(document: Json) -> Json:
    found: Json = document["paths"]["/v1/search"]["post"]
    return found


def schema(document: Json, name: str) -> Json:
    found: Json = document["components"]["schemas"][name]
    return found


def field(document: Json, name: str, property_name: str) -> Json:
    found: Json = schema(document, name)["properties"][property_name]
    return found


BREAKS: list[tuple[str, Change, str]] = [
    ("the path goes", lambda new: new["paths"].clear(), "`POST /v1/search`: the operation is removed"),
    ("the method goes", lambda new: new["paths"]["/v1/search"].clear(), "`POST /v1/search`: the operation is removed"),
    (
        "another scope",
        lambda new: operation(new).update({"x-scope": "verify:write"}),
        "`POST /v1/search`: needs the scope verify:write in place of search:write",
    ),
    (
        "a field needs a scope",
        lambda new: operation(new).update({"x-further-scopes": {"businessId": "businesses:read"}}),
        "`POST /v1/search businessId`: needs the scope businesses:read",
    ),
    (
        "a way to authenticate goes",
        lambda new: operation(new)["security"].pop(),
        "`POST /v1/search`: a way to authenticate is no longer accepted",
    ),
    (
        "a parameter goes",
        lambda new: operation(new)["parameters"].pop(0),
        "`POST /v1/search query limit`: the parameter is removed",
    ),
    (
        "a parameter becomes required",
        lambda new: operation(new)["parameters"][0].update(required=True),
        "`POST /v1/search query limit`: the parameter is now required",
    ),
    (
        "a required parameter comes",
        lambda new: operation(new)["parameters"].append(
            {"name": "day", "in": "query", "required": True, "schema": {"type": "string"}}
        ),
        "`POST /v1/search query day`: a new parameter is required",
    ),
    (
        "a parameter's limit tightens",
        lambda new: operation(new)["parameters"][0]["schema"].update(maximum=20),
        "`POST /v1/search query limit`: maximum was 50 and is 20",
    ),
    (
        "JSON is not read any more",
        lambda new: operation(new)["requestBody"].update(content={}),
        "`POST /v1/search body`: application/json is no longer accepted",
    ),
    (
        "a field of the request goes",
        lambda new: schema(new, "Request")["properties"].pop("kind"),
        "`POST /v1/search body kind`: the field is removed",
    ),
    (
        "a field of the request becomes required",
        lambda new: schema(new, "Request")["required"].append("kind"),
        "`POST /v1/search body kind`: the field is now required",
    ),
    (
        "a value is refused",
        lambda new: field(new, "Request", "kind")["enum"].pop(),
        "`POST /v1/search body kind`: business is no longer accepted",
    ),
    (
        "a request may have but some values",
        lambda new: field(new, "Request", "name").update(enum=["a"]),
        "`POST /v1/search body name`: any other value is no longer accepted",
    ),
    (
        "a request's text must be longer",
        lambda new: field(new, "Request", "name").update(minLength=2),
        "`POST /v1/search body name`: minLength was 1 and is 2",
    ),
    (
        "a request's text must have a form",
        lambda new: field(new, "Request", "name").update(pattern="^A"),
        "`POST /v1/search body name`: pattern was none and is ^A",
    ),
    (
        "null is refused",
        lambda new: field(new, "Request", "website")["anyOf"].pop(),
        "`POST /v1/search body website`: null is no longer accepted",
    ),
    (
        "a request's field is of another type",
        lambda new: field(new, "Request", "name").update(type="integer"),
        "`POST /v1/search body name`: was string and is integer",
    ),
    ("a status goes", lambda new: operation(new)["responses"].pop("404"), "`POST /v1/search 404`: is no longer answered"),
    (
        "another success comes",
        lambda new: operation(new)["responses"].update({"202": {}}),
        "`POST /v1/search 202`: is a new kind of success",
    ),
    (
        "a header goes",
        lambda new: operation(new)["responses"]["200"]["headers"].clear(),
        "`POST /v1/search 200 X-Request-Id`: the header is no longer sent",
    ),
    (
        "a header is not always sent",
        lambda new: operation(new)["responses"]["200"]["headers"]["X-Request-Id"].update(required=False),
        "`POST /v1/search 200 X-Request-Id`: the header may now be missing",
    ),
    (
        "a media type goes",
        lambda new: operation(new)["responses"]["200"]["content"].pop("application/pdf"),
        "`POST /v1/search 200`: is no longer application/pdf",
    ),
    (
        "a field of the answer goes",
        lambda new: schema(new, "Result")["properties"].pop("status"),
        "`POST /v1/search 200 status`: the field is removed",
    ),
    (
        "a field of the answer may be missing",
        lambda new: schema(new, "Result")["required"].remove("score"),
        "`POST /v1/search 200 score`: the field may now be missing",
    ),
    (
        "a field of the answer may be null",
        lambda new: schema(new, "Result")["properties"].update(
            id={"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]}
        ),
        "`POST /v1/search 200 id`: may now be null",
    ),
    (
        "a field of the answer is of another type",
        lambda new: field(new, "Result", "score").update(type="string"),
        "`POST /v1/search 200 score`: was integer or number and is string",
    ),
    (
        "a field of the answer has another form",
        lambda new: field(new, "Result", "id").pop("format"),
        "`POST /v1/search 200 id`: format was uuid and is none",
    ),
    (
        "an answer has a value that nobody knows",
        lambda new: schema(new, "Status")["enum"].append("dissolved"),
        "`POST /v1/search 200 status`: may now be dissolved",
    ),
    (
        "an answer has another scale",
        lambda new: field(new, "Result", "score").update(maximum=100),
        "`POST /v1/search 200 score`: maximum was 1 and is 100",
    ),
    (
        "a field of a list's items goes",
        lambda new: schema(new, "Match")["properties"].pop("name"),
        "`POST /v1/search 200 matches[].name`: the field is removed",
    ),
    (
        "a map has other values",
        lambda new: field(new, "Result", "counts")["additionalProperties"].update(type="string"),
        "`POST /v1/search 200 counts.*`: was integer and is string",
    ),
]


def changed(change: Change) -> Json:
    new = deepcopy(SHOP)
    change(new)
    return new


@pytest.mark.parametrize(("change", "break_"), [case[1:] for case in BREAKS], ids=[case[0] for case in BREAKS])
def test_a_break_is_told_once_with_its_place(change: Change, break_: str) -> None:
    assert [str(one) for one in compare_descriptions(SHOP, changed(change))] == [break_]


HARMLESS_BACK = {
    "a field needs a scope",
    *("the path goes", "the method goes", "a way to authenticate goes", "a parameter goes", "a parameter becomes required"),
    *("a parameter's limit tightens", "JSON is not read any more", "a field of the request goes"),
    *("a field of the request becomes required", "a value is refused", "a request may have but some values"),
    *("a request's text must be longer", "a request's text must have a form", "null is refused", "a status goes", "a header goes"),
    *("a header is not always sent", "a media type goes", "a field of the answer goes", "a field of the answer may be missing"),
    *("a field of the answer may be null", "a field of the answer has another form"),
    *("an answer has a value that nobody knows", "an answer has another scale", "a field of a list's items goes"),
}
"""Changes that break in one direction only: whoever makes them backwards breaks nobody."""


@pytest.mark.parametrize(("name", "change"), [case[:2] for case in BREAKS], ids=[case[0] for case in BREAKS])
def test_the_other_way_round_it_breaks_only_what_is_another_thing_in_both(name: str, change: Change) -> None:
    assert (compare_descriptions(changed(change), SHOP) == []) == (name in HARMLESS_BACK)


def test_what_is_added_breaks_nobody() -> None:
    new = deepcopy(SHOP)
    new["paths"]["/v1/more"] = {"get": {}}
    operation(new)["parameters"].append({"name": "day", "in": "query", "schema": {"type": "string"}})
    operation(new)["responses"]["409"] = {}
    schema(new, "Request")["properties"]["more"] = {"type": "string"}
    schema(new, "Result")["properties"]["more"] = {"type": "string"}
    schema(new, "Result")["required"].append("more")
    assert compare_descriptions(SHOP, new) == []


def test_a_schema_under_another_name_is_the_same() -> None:
    new = json.loads(json.dumps(SHOP).replace("schemas/Status", "schemas/Standing").replace('"Status":', '"Standing":'))
    assert "Standing" in new["components"]["schemas"]
    assert compare_descriptions(SHOP, new) == []


def test_a_schema_that_moves_into_its_place_is_the_same() -> None:
    new = deepcopy(SHOP)
    schema(new, "Result")["properties"]["status"] = schema(new, "Status")
    assert compare_descriptions(SHOP, new) == []


def test_of_several_alternatives_that_do_not_fit_the_nearest_is_told_of() -> None:
    old, new = deepcopy(SHOP), deepcopy(SHOP)
    for document in (old, new):
        answer = operation(document)["responses"]["200"]["content"][JSON]
        answer["schema"] = {"anyOf": [{"$ref": "#/components/schemas/Match"}, {"$ref": "#/components/schemas/Result"}]}
    schema(new, "Result")["properties"].pop("status")
    assert [str(one) for one in compare_descriptions(old, new)] == ["`POST /v1/search 200 status`: the field is removed"]


@pytest.mark.slow
def test_the_description_itself_breaks_nothing() -> None:
    assert compare_descriptions(generated_description(), build_openapi()) == []


def announced(breaking: BreakingChange) -> Iterator[str]:
    """Where it may be quoted. Whether a pattern became wider no program can tell: the category says what a person found."""
    is_known = not breaking.what.startswith("pattern was")
    for change in read_changelog():
        if change.day is None and (change.category is ChangeCategory.BREAKING or not is_known):
            yield change.text


@pytest.mark.slow
def test_every_break_since_the_last_release_is_announced() -> None:
    breaks = compare_descriptions(json.loads(RELEASED.read_text("utf-8")), generated_description())
    unannounced = [str(one) for one in breaks if not any(str(one) in text for text in announced(one))]
    assert unannounced == [], "quote them under Breaking in docs/api-changelog.md"


def test_from_the_command_line_it_prints_them_and_fails(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(SHOP), "utf-8")
    new.write_text(json.dumps(changed(BREAKS[0][1])), "utf-8")
    command = [sys.executable, "-m", "bonafide.api.description.openapi_diff"]
    ended = subprocess.run([*command, old, new], capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    assert (ended.returncode, ended.stdout) == (1, f"{BREAKS[0][2]}\n")
    assert subprocess.run([*command, old, old], check=False).returncode == 0  # noqa: S603 - our own command
