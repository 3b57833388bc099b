"""Words that optical character recognition misread, and the words as which they may have been printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.entries.query import Query
from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.scanned_words import MAX_CORRECTIONS, list_scan_corrections, read_digits_as_letters


@pytest.mark.parametrize(
    ("misread", "printed"),
    [
        ("c0nstruct1on", "construction"),
        ("8rooksbank", "brooksbank"),
        ("5obeys", "sobeys"),
        ("tvvo", "two"),
        ("bam", "barn"),
        ("tum", "turn"),
        ("clirect", "direct"),
        ("recl", "red"),
        ("zaccare1li", "zaccarelli"),
        ("9i234567", "91234567"),
        ("l2o4567", "1204567"),
    ],
)
def test_a_misread_word_may_have_been_printed_as(misread: str, printed: str) -> None:
    assert printed in list_scan_corrections(misread)


@pytest.mark.parametrize("word", ["4x4", "a1", "b2b", "pt3", "1234567", "zephyr", "", "大和"])
def test_a_word_without_confusable_characters_has_no_corrections(word: str) -> None:
    assert list_scan_corrections(word) == ()


@given(st.text("01i58lmrnclvdwab", max_size=48))
def test_corrections_are_few_distinct_and_never_the_word(word: str) -> None:
    corrections = list_scan_corrections(word)
    assert len(set(corrections)) == len(corrections) <= MAX_CORRECTIONS
    assert word not in corrections


@pytest.mark.parametrize(
    ("word", "read"),
    [("c0nstruct1on", "constructlon"), ("mp3", "mp3"), ("9i234567", "9i234567"), ("a1", "a1"), ("zorvan", "zorvan")],
)
def test_the_digits_of_a_word_of_letters_are_read_as_letters(word: str, read: str) -> None:
    assert read_digits_as_letters(word) == read


@pytest.mark.parametrize("name", ["Zorvan Bakery 1NC.", "Zorvan Bakery lnc0rporated", "Zorvan Bakery L1MITED", "Zorvan Bakery 1td"])
def test_a_misread_legal_form_of_a_query_is_corrected(name: str) -> None:
    query = Query(name)
    assert query.name == name
    assert query.normal_name.core == ("zorvan", "bakery")
    assert query.normal_name.legal_forms


@pytest.mark.parametrize("name", ["Zorvan 5 Ltd.", "Studio A51 Inc.", "Zorvan lnc", "1000 Islands Tours", "G0LD Mine"])
def test_other_words_of_a_query_stay_as_they_are(name: str) -> None:
    assert Query(name).normal_name == normalise(name)


@pytest.mark.parametrize(("name", "read"), [("8EV'S Massage", ("bevs", "massage")), ("Ka1 Tire 1nc", ("kal", "tire"))])
def test_a_query_with_digits_in_words_is_also_read_with_letters(name: str, read: tuple[str, ...]) -> None:
    whole, other = Query(name).parsed_names
    assert other.normal.core == read
    assert other.factor < whole.factor == 1


@pytest.mark.parametrize("name", ["2nd Avenue", "1st Zorvan", "5th Street 24", "A1 Zorvan", "3M Canada", "9123-4567 Québec inc."])
def test_ordinals_and_numbers_are_not_read_as_letters(name: str) -> None:
    assert len(Query(name).parsed_names) == 1
