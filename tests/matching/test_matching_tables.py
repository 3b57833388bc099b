"""The data files: each word is written as the normaliser leaves it, stands once where it must, and is text."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bonafide.matching.names.legal_forms import LEGAL_FORMS, SIGNIFICANT_FORM_WORDS
from bonafide.matching.names.normalization import normalise
from bonafide.matching.scoring.score_parameters import WORD_WEIGHTS
from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import WordClass, are_equivalent, are_opposites, classify_word

TABLES = ["abbreviations", "legal_forms", "name_markers", "numbered_names", "people", "provinces", "street_types", "words"]


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


@pytest.mark.parametrize("table", TABLES)
def test_a_table_holds_text_only(table: str) -> None:
    # YAML reads an unquoted `on` or `no` as a truth value.
    kept_forms = [leaf for leaf in leaves(read_table(table)) if leaf is not True or table != "legal_forms"]
    assert [leaf for leaf in kept_forms if not isinstance(leaf, str)] == []


@pytest.mark.parametrize("table", [table for table in TABLES if table != "legal_forms"])
def test_words_are_written_as_folding_leaves_them(table: str) -> None:
    words = [word for leaf in leaves(read_table(table)) for word in leaf.replace("=", " ").replace("/", " ").split()]
    assert [word for word in words if fold(word) != word] == []


def test_an_abbreviation_stands_for_a_word_that_is_not_one_itself() -> None:
    abbreviations = read_table("abbreviations")
    assert [short for short, word in abbreviations.items() if word in abbreviations or short == word] == []
    assert [short for short in abbreviations if normalise(f"zephyrine {short}").tokens != ("zephyrine", abbreviations[short])] == []


def test_every_spelling_of_a_legal_form_is_recognised_at_the_end_of_a_name() -> None:
    for row in read_table("legal_forms"):
        for spelling in (*row.get("en", ()), *row.get("fr", ()), *row.get("other", ())):
            assert normalise(f"Zephyrine {spelling}").legal_forms == (row["key"],), spelling


def test_every_spelling_that_may_stand_in_front_is_recognised_there() -> None:
    for row in read_table("legal_forms"):
        for spelling in row.get("front", ()):
            assert row["key"] in normalise(f"{spelling} Zephyrine").legal_forms, spelling


def test_every_form_has_a_label_and_a_kind() -> None:
    assert all(form.label and form.kind for form in LEGAL_FORMS.values())


def test_every_class_has_a_weight_and_common_words_weigh_less() -> None:
    assert set(WORD_WEIGHTS) == set(WordClass)
    assert WORD_WEIGHTS[WordClass.SHAPE] < WORD_WEIGHTS[WordClass.TRADE] < WORD_WEIGHTS[WordClass.RARE] == 1


def test_an_opposite_stands_in_one_row_only() -> None:
    words = Counter(word for row in read_table("words")["opposites"] for member in row for word in member.split("="))
    assert [word for word, count in words.items() if count > 1] == []


def test_opposites_and_equivalents_are_symmetric_and_apart() -> None:
    for row in read_table("words")["equivalents"]:
        for one in row:
            for other in row:
                assert one == other or (are_equivalent(one, other) and are_equivalent(other, one))
                assert not are_opposites(one, other)
    assert are_opposites("nord", "south")
    assert are_opposites("south", "nord")
    assert not are_opposites("nord", "north")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("holdings", WordClass.SHAPE),
        ("toronto", WordClass.PLACE),
        ("plomberie", WordClass.TRADE),
        ("golden", WordClass.ORDINARY),
        ("zephyrine", WordClass.RARE),
        ("1008", WordClass.NUMBER),
        ("4x4", WordClass.NUMBER),
        ("xii", WordClass.NUMBER),
        ("z", WordClass.LETTER),
        ("中", WordClass.RARE),
    ],
)
def test_the_class_of_a_word(word: str, expected: WordClass) -> None:
    assert classify_word(word) is expected


def test_a_word_stands_in_one_class_only() -> None:
    words = Counter(word for listed in read_table("words")["classes"].values() for word in listed.split())
    assert [word for word, count in words.items() if count > 1] == []


def test_a_form_in_front_has_a_word_that_tells_of_it() -> None:
    # The quick way through `searchable` only looks for these.
    fronts = [spelling.split() for row in read_table("legal_forms") for spelling in row.get("front", ())]
    assert [words for words in fronts if SIGNIFICANT_FORM_WORDS.isdisjoint(words)] == []
