"""The official tables, read strictly: what a column may be called, what belongs to which class, what is refused."""

from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.i18n.language import Language
from bonafide.website.industry.naics_tables import (
    ADDRESSES,
    NaicsEdition,
    NaicsPhrase,
    NaicsTable,
    PhraseKind,
    build_editions,
    read_naics_table,
)
from tests.support.website.naics_tables import ELEMENTS, FRENCH_ELEMENTS, FRENCH_STRUCTURE, STRUCTURE, write_tables


def read(folder: Path, *contents: str) -> tuple[NaicsEdition, ...]:
    return build_editions([read_naics_table(path, path.name) for path in write_tables(folder, *contents)])


def test_classes_and_phrases_are_read(tmp_path: Path) -> None:
    [found] = read(tmp_path, ELEMENTS, STRUCTURE)
    assert found.language is Language.ENGLISH
    assert found.codes == ["311811", "311814"]
    assert found.titles["31-33"] == "Making"
    assert found.definitions["311814"] == "Bread is made, and shipped."
    assert found.phrases == (
        NaicsPhrase("311811", "bakery, with counter", PhraseKind.EXAMPLE),
        NaicsPhrase("311814", "frozen dough", PhraseKind.EXCLUSION),
        NaicsPhrase("311814", "frozen bread making", PhraseKind.EXAMPLE),
        NaicsPhrase("311814", "sliced bread", PhraseKind.EXAMPLE),
    )


def test_a_phrase_that_is_given_twice_counts_once_and_is_held_out_whole(tmp_path: Path) -> None:
    [found] = read(tmp_path, STRUCTURE, ELEMENTS)
    rest = found.without(frozenset({"bakery, with counter"}))
    assert [phrase.code for phrase in rest.phrases] == ["311814"] * 3


def test_both_languages_are_read_english_first(tmp_path: Path) -> None:
    found = read(tmp_path, FRENCH_ELEMENTS, FRENCH_STRUCTURE, ELEMENTS, STRUCTURE)
    assert [edition.language.value for edition in found] == ["en", "fr"]
    assert found[1].titles == {"311811": "Boulangeries à comptoir"}
    assert found[1].phrases[0].text == "boulangerie avec comptoir"


def test_a_column_that_is_known_to_come_and_go_may_be_there(tmp_path: Path) -> None:
    with_parent = "\n".join(f"{line},{'Parent' if n == 0 else ''}" for n, line in enumerate(STRUCTURE.splitlines()))
    assert read(tmp_path, with_parent, ELEMENTS)[0].codes == ["311811", "311814"]


@pytest.mark.parametrize(
    ("contents", "problem"),
    [
        ((STRUCTURE.replace("Class title", "Title"), ELEMENTS), "not a table of NAICS Canada 2022"),
        ((STRUCTURE.replace("Superscript", "Footnote"), ELEMENTS), "not a table of .*Footnote"),
        (("", ELEMENTS), r"its columns are: $"),
        ((f"{STRUCTURE}5,one cell more,1,2,3,4,5\n", ELEMENTS), "row 7: 7 cells where the header has 6"),
        ((STRUCTURE, ELEMENTS.replace("Inclusion(s)", "Rumour(s)")), r"unknown type of phrase “Rumour\(s\)”"),
        ((STRUCTURE, ELEMENTS.replace("5,311814,Bread", "5,999999,Bread")), "belongs to the unknown class 999999"),
        ((STRUCTURE,), "the table en-elements is missing"),
        ((STRUCTURE, STRUCTURE), "given twice"),
        ((FRENCH_STRUCTURE, FRENCH_ELEMENTS), "the table en-structure is missing"),
        ((STRUCTURE, ELEMENTS, FRENCH_STRUCTURE), "the table fr-elements is missing"),
        (
            (STRUCTURE.replace("311811,", "3118,").replace("311814,", "3119,"), ELEMENTS[: ELEMENTS.index("\n") + 1]),
            "no six-digit codes",
        ),
        ((f'{STRUCTURE}5,"never closed', ELEMENTS), "not a valid CSV file"),
    ],
)
def test_whatever_is_not_as_known_is_refused(tmp_path: Path, contents: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ParseFailed, match=problem):
        read(tmp_path, *contents)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(STRUCTURE.replace("Making", "Pâtisserie").encode("latin-1"))
    with pytest.raises(ParseFailed, match="not UTF-8"):
        read_naics_table(path, path.name)


def test_every_table_has_an_address_of_the_publisher() -> None:
    assert set(ADDRESSES) == set(NaicsTable)
    assert all(url.startswith("https://www.statcan.gc.ca/") for url in ADDRESSES.values())
