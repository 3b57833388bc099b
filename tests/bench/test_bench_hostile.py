"""Hostile queries and prefixes are what their categories say, the same for the same words."""

from random import Random

from bonafide_bench.datasets.hostile_queries import (
    LONG,
    QUERIES_PER_CATEGORY,
    create_hostile_queries,
    create_prefixes,
    find_frequent_words,
)

NAMES = [f"Osprey Harbour Bakery {n} Inc." for n in range(30)] + ["Heron Lagoon", "É"]
ROWS = [name.casefold().removesuffix(" inc.") for name in NAMES]


def chance() -> Random:
    return Random(7)  # noqa: S311 - a sample, not a secret


def test_frequent_words_are_words_by_how_many_names_hold_them() -> None:
    assert find_frequent_words(ROWS)[:3] == ["osprey", "harbour", "bakery"]
    assert not any(word.isdecimal() for word in find_frequent_words(ROWS))


def test_each_category_has_several_queries_and_they_are_always_the_same() -> None:
    once, again = (create_hostile_queries(find_frequent_words(ROWS), NAMES, chance()) for _ in range(2))
    assert once == again
    assert {len(queries) for queries in once.values()} == {QUERIES_PER_CATEGORY}
    assert {len(query) for query in once["2,000 characters in one word"]} == {LONG}
    assert all(len(word) == 1 for query in once["one-letter words"] for word in query.split())
    assert {len(query.split()) for query in once["a dozen random words"]} == {12}


def test_prefixes_are_beginnings_of_names_or_of_their_words() -> None:
    found = create_prefixes(NAMES, find_frequent_words(ROWS), chance())
    assert found["2 characters"] == ["os", "he"]
    assert all(len(text) == 12 and text.startswith(("osprey harbo", "heron lagoon")) for text in found["12 characters"])
    for text in found["last word, 2"]:
        whole, _, begun = text.rpartition(" ")
        assert any(whole in name and f" {begun}" in f" {name}" for name in map(str.casefold, NAMES))
