"""Two names compared, one pair at a time or ten thousand on standard input."""

import json
from collections.abc import Iterable

import pytest

from tests.support.cli_commands import Command

MANY = 10_000


def lines(pairs: Iterable[object]) -> bytes:
    return b"".join(json.dumps(pair, ensure_ascii=False).encode() + b"\n" for pair in pairs)


def test_a_person_sees_the_score_and_why(bonafide: Command) -> None:
    found = bonafide("compare", "Acme Holdings Inc.", "Akme Holdings Ltd.")
    assert found.status == 0
    score, reason = found.out.splitlines()[0].split(maxsplit=1)
    assert 0 < float(score) < 1
    assert "“acme” matched with “akme”" in reason
    assert "  words: " in found.out


def test_a_program_sees_every_feature(bonafide: Command) -> None:
    answer = bonafide("compare", "Acme", "Akme", "--json").json()
    assert (answer["a"], answer["b"], answer["kind"]) == ("Acme", "Akme", "business")
    assert 0 < answer["score"] < 1
    assert [set(item) for item in answer["features"]] == [{"feature", "score", "reason"}]


def test_people_are_compared_as_people(bonafide: Command) -> None:
    pair = ("Jean-François Tremblay", "TREMBLAY, Jean-François")
    assert bonafide("compare", *pair, "--kind", "person", "--json").json()["score"] == 1
    assert bonafide("compare", *pair, "--json").json()["score"] < 1


def test_names_that_look_like_markup_are_shown_as_they_are(bonafide: Command) -> None:
    for kind in ("business", "person"):
        found = bonafide("compare", "[/]Acme:bomb: Holdings", "[red]Acme", "--kind", kind)
        assert found.status == 0
        assert "“red”" in found.out


@pytest.mark.parametrize("words", [(), ("Acme",), ("Acme", "Akme", "--kind", "ship")])
def test_what_is_no_comparison_is_wrong_usage(bonafide: Command, words: tuple[str, ...]) -> None:
    assert bonafide("compare", *words).status == 2


def test_lines_come_back_with_their_score(bonafide: Command) -> None:
    pairs: list[dict[str, object]] = [
        {"a": "Boulangerie Été Ltée", "b": "BOULANGERIE ETE LTEE"},
        {"a": "Tremblay, Zoë", "b": "Zoe Tremblay", "kind": "person", "id": [7, None]},
        {"kind": "business", "b": "東京株式会社", "a": "Tokyo"},
    ]
    found = bonafide("compare", "--jsonl", stdin=lines(pairs))
    assert found.status == 0
    scored = [json.loads(line) for line in found.out.splitlines()]
    assert [{name: value for name, value in pair.items() if name != "score"} for pair in scored] == pairs
    assert [list(pair) for pair in scored] == [[*pair, "score"] for pair in pairs]
    assert [pair["score"] for pair in scored] == [1, 1, 0]
    assert "東京株式会社" in found.out


def test_the_kind_of_lines_that_name_none_is_that_of_the_option(bonafide: Command) -> None:
    pair = lines([{"a": "TREMBLAY, Zoë", "b": "Zoe Tremblay"}])
    assert json.loads(bonafide("compare", "--jsonl", "--kind", "person", stdin=pair).out)["score"] == 1
    assert json.loads(bonafide("compare", "--jsonl", stdin=pair).out)["score"] < 1


def test_blank_lines_a_byte_order_mark_and_a_missing_line_end_do_no_harm(bonafide: Command) -> None:
    found = bonafide("compare", "--jsonl", stdin=b'\xef\xbb\xbf{"a": "x", "b": "x"}\r\n\r\n  \n{"a": "y", "b": "y"}')
    assert (found.status, len(found.out.splitlines())) == (0, 2)
    assert bonafide("compare", "--jsonl").out == ""


@pytest.mark.parametrize(
    "bad",
    [
        b"Acme,Akme",
        b'["Acme", "Akme"]',
        b'"Acme"',
        b'{"a": "Acme"}',
        b'{"a": 1, "b": 2}',
        b'{"a": "Acme", "b": null}',
        b'{"a": "Acme", "b": "Akme", "kind": "ship"}',
        b'{"a": "Acme", "b": "Akme", "kind": ["person"]}',
        b'{"a": "Acm\xe9", "b": "Akme"}',
        b'{"a": "\\ud800", "b": "Akme"}',
        b"[" * 100_000,
    ],
    ids=["csv", "list", "text", "no b", "numbers", "null", "kind", "kinds", "latin-1", "surrogate", "deep"],
)
def test_a_bad_line_is_named_and_those_before_it_are_scored(bonafide: Command, bad: bytes) -> None:
    good = lines([{"a": "Acme", "b": "Acme"}])
    found = bonafide("compare", "--jsonl", stdin=good + b"\n" + bad + b"\n" + good)
    assert found.status == 1
    assert found.said.startswith("bonafide: Line 3 must be a JSON object")
    assert [json.loads(line)["score"] for line in found.out.splitlines()] == [1]


@pytest.mark.slow
def test_ten_thousand_lines_are_no_trouble(bonafide: Command) -> None:
    pairs = [{"a": f"Société Générale {n} inc.", "b": f"Societe Generale {n} Ltd."} for n in range(MANY)]
    found = bonafide("compare", "--jsonl", stdin=lines(pairs))
    assert found.status == 0
    assert found.out.count("\n") == MANY
