"""Words that name a place are those that the table of countries has, found without a search for every word."""

from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.names.listed_words import parse_place
from bonafide.matching.text.countries import parse_country_code
from bonafide.matching.text.tables import read_table

WORDS = sorted(
    {
        form
        for names in read_table("countries")["countries"].values()
        for name in names
        for word in [name, *name.replace("-", " ").split()]
        for form in (word, word.lower(), word.upper())
        if len(form) > 2
    }
)


def test_every_country_of_the_table_is_a_place() -> None:
    found = {word: parse_place(word) for word in WORDS}
    # A town may have the name of a country, and is a place by itself.
    assert all(place in {parse_country_code(word), word} for word, place in found.items())
    assert sum(place is not None for place in found.values()) > 500


@given(st.text("aeinrst\u00e9 '.-", min_size=3, max_size=8) | st.sampled_from(WORDS).map(lambda word: word[1:] + word[:1]))
def test_any_other_word_is_a_place_only_if_it_is_a_country(word: str) -> None:
    assert parse_place(word) in {parse_country_code(word), word}
