"""The terms of many texts at once are those of one text at a time."""

from collections.abc import Callable, Sequence
from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonafide.matching.entries.bulk_addresses import build_address_arrays
from bonafide.matching.entries.bulk_terms import build_business_arrays, build_person_arrays
from bonafide.matching.entries.index_terms import (
    MAX_WORDS,
    IndexTerms,
    build_address_terms,
    build_business_terms,
    build_person_terms,
)
from bonafide.matching.entries.term_arrays import TermArrays
from bonafide.matching.text.folding import fold, fold_lines

BUSINESS_WORDS = (
    "Acme Zephyrine Maple Leaf Élan Café Côté 9 123 4567890 24/7 A B.C. & and et of the de la les d'Or l'Est O'Brien Ltd. "
    "Limited Ltée Inc. inc Corp Corporation Company Co. Cie Association Foundation Society LLP s.e.n.c.r.l. Limited-Partnership "
    "Partnership Société Compagnie Group Groupe o/a dba formerly (formerly) (Canada) (Ltd.) - / , No. N° Québec Canada Nova Scotia "
    "Columbia Co-op Cooperative Rock'n'Roll 'n' Bros Mfg Intl Centre Center Saint St. Royal Bank Mortgage Housing ACME"
)
PERSON_WORDS = "Dr. Mr Mme Jean-François Tremblay, Marie Luc O'Neil Jr. III CPA (Bob) Ing van der Élise J. P. & - ,"
ADDRESS_WORDS = (
    "100 200-100 1st 24e 12A Bay King St. Street St-Jean Ste-Catherine Ste. Suite 5 Unit B rue boulevard Boul. av. de la W. West "
    "Ouest PO Box RR 2 C.P. Station , , , Toronto Montréal Mtl ON Ont. QC Québec BC British Columbia Nova Scotia M5V M5V2T6 "
    "M5V-2T6 K1A 0B1 H2X 1Y4 Canada USA United States floor 3 fl étage no bureau l'Église d'Youville & ( ) . #"
)
Build = Callable[[Sequence[str]], IndexTerms]
BuildArrays = Callable[[Sequence[str]], TermArrays]


def to_index_terms(arrays: TermArrays) -> IndexTerms:
    """The same terms as lists."""
    texts = [arrays.distinct[number] for number in arrays.words.tolist()]
    ends = accumulate(arrays.lengths.tolist())
    words = [tuple(texts[end - length : end]) for end, length in zip(ends, arrays.lengths.tolist(), strict=True)]
    acronyms = list(zip(arrays.acronym_places.tolist(), arrays.acronyms, strict=True))
    return IndexTerms(arrays.places.tolist(), words, arrays.typed, acronyms)


def texts_of(sample: str) -> st.SearchStrategy[list[str]]:
    """Batches of texts: mostly words of these in any order, and some of any characters."""
    words = sample.split()
    known = st.lists(st.sampled_from(words), max_size=MAX_WORDS + 4).map(" ".join)
    mixed = st.lists(st.sampled_from(words) | st.text(max_size=6), max_size=8).map(" ".join)
    return st.lists(known | mixed | st.text(max_size=20), max_size=12)


@given(texts_of(BUSINESS_WORDS))
@example([])
@example([""])
@example(["a" * 60, "b" * 60 + " " + "b" * 70])
@example(["Alpha & Alpha Association", "Limited Foo Limited", "One Two Three Four Five Six Seven Eight Nine Company"])
@example(["123 Ontario Inc. o/a Joe's Pizza", "English Inc. / Français inc.", "/", "A / B", "Foo (formerly Bar)"])
@example(["Écoles Élite Évasion", "Canada Mortgage and Housing Corporation", "Centre for Addiction and Mental Health Foundation"])
@example(["\x00\x01\x02\x03\x04 Acme", "Acme \x04 Inc."])
def test_business_names(names: list[str]) -> None:
    assert to_index_terms(build_business_arrays(names)) == build_business_terms(names)


@given(texts_of(PERSON_WORDS))
@example([])
@example(["Dr.", "Tremblay, Jean", "Tremblay, Junior", "Jean Tremblay Jr.", "\x04"])
def test_people(names: list[str]) -> None:
    assert to_index_terms(build_person_arrays(names)) == build_person_terms(names)


@given(texts_of(ADDRESS_WORDS))
@example([])
@example(["Canada", "ON, Canada", "?", "Suite", "St", "St, St", "M5V 2T6 K1A 0B1", "de la, Toronto", "\x04"])
@example(["PO Box 12, Toronto ON", "100 Bay St, Vancouver, British Columbia", "10 rue Principale Ouest"])
def test_addresses(lines: list[str]) -> None:
    assert to_index_terms(build_address_arrays(lines)) == build_address_terms(lines)


@pytest.mark.parametrize(
    ("build", "build_arrays"),
    [
        (build_business_terms, build_business_arrays),
        (build_person_terms, build_person_arrays),
        (build_address_terms, build_address_arrays),
    ],
)
def test_every_word_of_the_rows_is_used(build: Build, build_arrays: BuildArrays) -> None:
    texts = ["The Acme Company Limited", "Dr. Ann Sample", "100 Bay St, Toronto, ON"]
    arrays = build_arrays(texts)
    assert {arrays.distinct[number] for number in arrays.words.tolist()} == set(arrays.distinct)
    assert {word for row in build(texts).words for word in row} == set(arrays.distinct)


@given(
    st.lists(st.text(st.characters(max_codepoint=0x370) | st.sampled_from("µ№º°’–ﬁ™①\u0301\u200b\u2028"), max_size=8), max_size=8)
)
@example(["µÄ'", "N° 5"])
def test_lines_fold_as_texts(texts: list[str]) -> None:
    assert fold_lines(texts).split("\n") == ([fold(text).replace("\n", " ") for text in texts] or [""])
