"""What the index stores of names: the same whether they come alone or by the thousand, and nothing lost."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonafide.matching.entries.index_terms import (
    MAX_TYPED_CHARACTERS,
    MAX_WORD_CHARACTERS,
    MAX_WORDS,
    IndexTerms,
    build_address_terms,
    build_business_terms,
    build_person_terms,
    select_index_words,
    to_typed_form,
)
from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.folding import fold, fold_lines
from bonafide.matching.text.tables import read_table

ANY_TEXT = st.text(st.characters(exclude_categories=()))
FORM_SPELLINGS = [word for row in read_table("legal_forms") for key in ("en", "fr", "other", "front") for word in row.get(key, ())]
PIECES = st.sampled_from(
    [
        *"abn&.,-()'’/#+ \t\n\r\x00\x1c\x85\u2028\u200b\u00a0\ud800é",
        "l'",
        "d'",
        "Qu'",
        "co-op",
        "the",
        "et",
        "St",
        "9123-4567 Québec",
        "1 234 567",
        "12,345",
        "(Ltd.)",
        "(inc",
        "A.B.C.",
        "n p l",
        "Zephyrine",
        "Intl",
        "e\u0301",
        "ﬁ",
        "Ｆ",
        "Зефир",
        "中国",
        "İ",
        "ß",
        *FORM_SPELLINGS,
    ]
)
NASTY_NAME = st.lists(PIECES, max_size=8).map(" ".join) | st.lists(PIECES, max_size=8).map("".join)
NAMES = st.lists(ANY_TEXT | NASTY_NAME, max_size=6)


def rows_of(found: IndexTerms) -> list[tuple[int, tuple[str, ...], str]]:
    return list(zip(found.places, found.words, found.typed, strict=True))


@given(NAMES)
@example([])
@example([""])
@example(["\n", "a\nb", "\r\n\x00"])
def test_many_names_at_once_are_each_name_alone(names: list[str]) -> None:
    alone = [(place, *row[1:]) for place, name in enumerate(names) for row in rows_of(build_business_terms([name]))]
    assert rows_of(build_business_terms(names)) == alone


@given(NAMES)
def test_the_words_of_a_name_are_those_of_its_normal_form(names: list[str]) -> None:
    found = build_business_terms(names)
    whole = dict(reversed([(place, words) for place, words, _ in rows_of(found)]))
    assert whole == {place: words for place, name in enumerate(names) if (words := select_index_words(normalise(name)))}


@given(NAMES)
def test_lines_are_folded_as_single_texts_are(texts: list[str]) -> None:
    assert fold_lines(texts).split("\n") == ([fold(text) for text in texts] or [""])


@given(NAMES)
def test_people_and_addresses_too_are_each_alone(texts: list[str]) -> None:
    for searchable in (build_person_terms, build_address_terms):
        alone = [(place, *row[1:]) for place, text in enumerate(texts) for row in rows_of(searchable([text]))]
        assert rows_of(searchable(texts)) == alone


@given(ANY_TEXT | NASTY_NAME)
def test_words_are_distinct_and_within_bounds(name: str) -> None:
    for _, words, typed in rows_of(build_business_terms([name * 3])):
        assert 0 < len(words) <= MAX_WORDS
        assert len(set(words)) == len(words)
        assert all(0 < len(word) <= MAX_WORD_CHARACTERS for word in words)
        assert len(typed) <= MAX_TYPED_CHARACTERS


@given(ANY_TEXT | NASTY_NAME)
def test_a_name_with_a_letter_or_digit_is_never_lost(name: str) -> None:
    says_something = set(fold(name)) - set(" '.,-()")
    assert bool(build_business_terms([name]).places) == bool(says_something)


# One test for all of the hundreds of spellings: setting up a test takes longer than checking a spelling.
def test_each_legal_form_goes_as_it_does_from_a_name_alone() -> None:
    for form in FORM_SPELLINGS:
        befores = ("Zephyrine ", "Zephyrine Inc ", "Zephyrine & ", "The Zephyrine ", "", "The ")
        names = [f"{before}{form}{behind}" for before in befores for behind in ("", " Zephyrine", " Inc", ", The")]
        first = dict(reversed([(place, words) for place, words, _ in rows_of(build_business_terms(names))]))
        assert first == {place: select_index_words(normalise(name)) for place, name in enumerate(names)}, form


def test_a_name_that_is_only_a_legal_form_keeps_words() -> None:
    for form in FORM_SPELLINGS:
        assert select_index_words(normalise(form)) != (), form
        assert select_index_words(normalise(f"The {form}")) != (), form


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("L'Équipe  A.B.C. & Cie (1998) ltée", "lequipe abc and cie 1998 ltee"),
        ("9123-4567 Québec inc.", "91234567 quebec inc"),
        (" Zephyrine\tOrlovska ", "zephyrine orlovska"),
        ("Pop’s—Zephyrine", "pops zephyrine"),
        ("", ""),
        ("x" * 300, "x" * 200),
    ],
)
def test_a_name_as_one_would_type_it(name: str, typed: str) -> None:
    assert to_typed_form(name) == typed


def test_long_names_keep_their_first_words_and_long_words_their_start() -> None:
    name = " ".join(f"zephyrine{letter}" for letter in "abcdefghijklmnopqrst")
    assert select_index_words(normalise(name)) == tuple(name.split()[:MAX_WORDS])
    assert select_index_words(normalise("z" * 60 + " " + "z" * 70)) == ("z" * MAX_WORD_CHARACTERS,)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ORLOVSKI, Jean-François", "jean francois orlovski"),
        ("Dr. Zofia van der Kwiatek Jr., CPA", "zofia van der kwiatek"),
        ("O’Brien, Z.M.", "z m obrien"),
        ("Зофия Квятек", "зофия квятек"),
    ],
)
def test_the_words_of_people_s_names(name: str, words: str) -> None:
    assert build_person_terms([name]).words == [tuple(words.split())]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("100-123 King St. W., Toronto ON M5V 2T6", "100 123 king street west toronto m5v2t6 m5v"),
        ("123 King Street West, Suite 100, Toronto, Ontario, Canada m5v2t6", "123 king street west 100 toronto m5v2t6 m5v"),
        ("123, rue Saint-Jean Ouest, bureau 4, Québec (Québec) G1R 1P8", "123 street saint jean west 4 quebec g1r1p8 g1r"),
        ("Ste 100, 45 Ste-Catherine St E, Mtl QC", "100 45 sainte catherine street east montreal"),
        ("C.P. 123, succ. B, Montréal", "box 123 succ b montreal"),
        ("P.O. Box 12 Stn Main Whitehorse YT Y1A 5X9", "box 12 stn main whitehorse y1a5x9 y1a"),
        ("RR #2, St-Zephyrin NS", "rr 2 saint zephyrin"),
        ("1 St Clair Ave W", "1 saint clair avenue west"),
        ("3rd floor, 5th Avenue SW, Calgary, Alberta", "3 5 avenue southwest calgary"),
        ("12 Chemin de l'Église", "12 road eglise"),
        ("Ontario", "ontario"),
    ],
)
def test_the_words_of_address_lines(line: str, words: str) -> None:
    assert build_address_terms([line]).words == [tuple(words.split())]


def test_a_province_or_country_never_empties_an_address() -> None:
    assert build_address_terms(["Canada", "ON, Canada", "?"]).words == [("canada",), ("on",)]
